import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { bundleModules } from '../../../../infra/containers/bundle-half.ts'
import { createModuleFiles } from '../../../../shared/domain/modules/files/module-files.ts'
import { openModuleFolder } from '../../../support/modules/module-folder.ts'

let folder: Awaited<ReturnType<typeof openModuleFolder>>

const define = (name: string) =>
  `import { defineModule } from 'gatehouse/module'\nexport default defineModule({ name: '${name}', api: 1 })\n`

beforeAll(async () => {
  folder = await openModuleFolder({
    'file.ts': `const api: 1 = 1\nexport default { name: 'file', api }\n`,
    'plain.mjs': define('plain'),
    'parts/module.ts': `import { name } from './name.ts'\nexport default { name, api: 1 }\n`,
    'parts/name.ts': `export const name: string = 'parts'\n`,
    'bundle.cjs': `exports.default = { name: 'bundle', api: 1, path: require('node:path').sep }\n`,
    'typed.ts': `import { Type } from '@sinclair/typebox'\nexport default { name: 'typed', api: 1, schema: Type.String() }\n`,
    'thrower.ts': `type Long = {\n  a: 1\n}\nexport default { name: 'thrower', api: 1, fail: (): void => {\n  throw new Error('here')\n} }\n`,
    'notes.txt': 'not a module',
    'Upper.ts': define('Upper'),
    'empty/readme.md': '',
    'node_modules/gatehouse-shop/package.json': JSON.stringify({
      name: 'gatehouse-shop',
      version: '1.2.3',
      type: 'module',
      exports: './main.js',
    }),
    'node_modules/gatehouse-shop/main.js': define('shop'),
    'package.json': '{}',
  })
})
afterAll(() => folder.remove())

const load = async (name: string, packageName?: string) => {
  const code = await folder.sources.load(name, packageName)
  return { ...code, exported: code.evaluate() }
}

describe('module files', () => {
  it('lists files and folders with an entry, by name', async () => {
    expect(await folder.sources.list()).toEqual(['bundle', 'file', 'parts', 'plain', 'thrower', 'typed'])
  })

  it.each(['file', 'plain', 'parts', 'bundle'])('loads %s', async (name) => {
    expect((await load(name)).exported).toMatchObject({ name, api: 1 })
  })

  it('loads an npm package with its version, by its own name or another one', async () => {
    expect(await load('shop', 'gatehouse-shop')).toMatchObject({ version: '1.2.3', exported: { name: 'shop' } })
    expect(await load('gatehouse-shop')).toMatchObject({ version: '1.2.3' })
  })

  it('resolves TypeBox to the copy of the server', async () => {
    expect((await load('typed')).exported).toMatchObject({ schema: { type: 'string' } })
  })

  it('finds the place of an error in the source', async () => {
    const { exported, findPlace } = await load('thrower')
    const { fail } = exported as { fail: () => void }
    let stack = ''
    try {
      fail()
    } catch (error) {
      stack = String((error as Error).stack)
    }
    expect(findPlace(stack)).toMatchObject({ file: 'thrower.ts', line: 5 })
  })

  it('loads bundles like their sources, with the places of errors', async () => {
    const out = join(folder.path, 'bundled')
    const names = await bundleModules({
      folders: [folder.path],
      packages: { shop: 'gatehouse-shop' },
      projectFolder: folder.path,
      out,
    })
    expect(names).toEqual(['bundle', 'file', 'parts', 'plain', 'shop', 'thrower', 'typed'])
    const bundles = createModuleFiles({ folders: [out], profilesFolder: out, projectFolder: '/' })
    expect(await bundles.list()).toEqual(names)
    for (const name of names)
      expect((await bundles.load(name, name === 'shop' ? 'gatehouse-shop' : undefined)).evaluate()).toMatchObject({ name })
    const { evaluate, findPlace } = await bundles.load('thrower')
    const place = (() => {
      try {
        ;(evaluate() as { fail: () => void }).fail()
      } catch (error) {
        return findPlace(String((error as Error).stack))
      }
      return undefined
    })()
    expect(place).toMatchObject({ file: 'thrower.ts', line: 5 })
  })

  it.each([
    ['twice.ts', 'twice/module.ts'],
    ['twice.js', 'twice.ts'],
  ])('refuses %s next to %s, and names both', async (...files) => {
    const both = await openModuleFolder(Object.fromEntries(files.map((file) => [file, define('twice')])))
    const loaded = both.sources.load('twice', undefined)
    for (const file of files) await expect(loaded).rejects.toThrow(join(both.path, file))
    await expect(loaded).rejects.toThrow('Keep one of them.')
    expect(await both.sources.list()).toEqual(['twice'])
    await both.remove()
  })

  it('refuses a module in two folders', async () => {
    const other = await openModuleFolder({ 'file.ts': define('file') })
    const options = { profilesFolder: other.path, projectFolder: other.path }
    const sources = createModuleFiles({ ...options, folders: [folder.path, other.path] })
    await expect(sources.load('file', undefined)).rejects.toThrow(join(other.path, 'file.ts'))
    const same = createModuleFiles({ ...options, folders: [other.path, other.path] })
    expect((await same.load('file', undefined)).evaluate()).toMatchObject({ name: 'file' })
    await other.remove()
  })

  it('says how to add a module that does not exist', async () => {
    await expect(load('missing')).rejects.toThrow('There is no module missing')
    await expect(load('missing', 'no-such-package')).rejects.toThrow('package no-such-package')
  })
})
