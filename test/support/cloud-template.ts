import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')

// biome-ignore lint/suspicious/noExplicitAny: tests look into templates, and say by their expectations what is in there
export type Resource = { readonly Type: string; readonly Properties: any; readonly [key: string]: any }

export type Template = {
  readonly Parameters: Readonly<Record<string, unknown>>
  readonly Conditions: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, Resource>>
}

/** Packages a stage with these settings, as `npm run package` does, in an environment without AWS and without a way out, and reads the template. */
export const packageTemplate = async (stage: string, settings: Readonly<Record<string, string>> = {}): Promise<Template> => {
  const nowhere = 'http://127.0.0.1:1'
  const params = Object.entries(settings).map(([name, value]) => `--param=${name}=${value}`)
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'infra/package/package.ts', '--stage', stage, ...params], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere },
    timeout: 120_000,
  })
  const text = await readFile(join(root, '.build/package', stage, 'cloudformation-template-update-stack.json'), 'utf8')
  return JSON.parse(text)
}

/** The resources of one type, with their names. */
export const resourcesOf = (template: Template, type: string): readonly (readonly [string, Resource])[] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type)
