import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { projectRoot } from './dockerfile.ts'

/** A service of `infra/docker-compose.yml`, as far as the tests look at it. */
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

/** The file, with what it says once put in wherever it is named. */
export const parseCompose = (): { readonly name: string; readonly services: Readonly<Record<string, ComposeService>> } =>
  parse(readFileSync(join(projectRoot, 'infra/docker-compose.yml'), 'utf8'), { merge: true })
