import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { projectRoot } from './dockerfile.ts'

/** The fields of a service in `infra/docker-compose.yml` that tests read. */
export type ComposeService = {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test?: readonly string[] }
  readonly tmpfs?: readonly string[]
  readonly user?: string
  readonly cap_drop?: readonly string[]
  readonly restart?: string
  readonly stop_grace_period?: string
}

/** Returns the file with its anchors resolved. */
export const parseCompose = (): { readonly name: string; readonly services: Readonly<Record<string, ComposeService>> } =>
  parse(readFileSync(join(projectRoot, 'infra/docker-compose.yml'), 'utf8'), { merge: true })
