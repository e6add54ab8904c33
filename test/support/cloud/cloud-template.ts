import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../..')

// biome-ignore lint/suspicious/noExplicitAny: the expectations of the tests check the shape of templates
export type Resource = { readonly Type: string; readonly Properties: any; readonly [key: string]: any }

export type Template = {
  readonly Parameters: Readonly<Record<string, unknown>>
  readonly Conditions: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, Resource>>
}

type PackageTemplate = (stage: string, settings?: Readonly<Record<string, string>>) => Promise<Template>

/** Environment variables for a machine without AWS and without network access. */
const environment = () => {
  const nowhere = 'http://127.0.0.1:1'
  return { PATH: process.env.PATH, HOME: process.env.HOME, HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere }
}

/**
 * Packages stages with settings and reads their templates. The first stage is packaged as `npm run package` does; the others use
 * the same bundles, which do not depend on the stage.
 */
export const createPackager = (): PackageTemplate => {
  let isBundled = false
  return async (stage, settings = {}) => {
    const params = Object.entries(settings).map(([name, value]) => `--param=${name}=${value}`)
    const folder = `.build/package/${stage}`
    const command = isBundled
      ? ['test/support/cloud/serverless-script.ts', 'package', '--package', folder]
      : ['tools/package/package.ts']
    await promisify(execFile)(process.execPath, ['--import', 'tsx', ...command, '--stage', stage, ...params], {
      cwd: root,
      env: environment(),
      timeout: 400_000,
    })
    isBundled = true
    return JSON.parse(await readFile(join(root, folder, 'cloudformation-template-update-stack.json'), 'utf8'))
  }
}

/** The resources of one type, with their names. */
export const resourcesOf = (template: Template, type: string): readonly (readonly [string, Resource])[] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type)
