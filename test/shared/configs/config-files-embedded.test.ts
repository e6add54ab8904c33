import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { configNames } from '../../../shared/configs/catalogue.ts'
import { createEmbeddedConfigFiles } from '../../../shared/configs/config-files-embedded.ts'
import { createTempDir } from '../../support/temp-dir.ts'

const bundledDir = resolve(import.meta.dirname, '../../../resources/config')

describe('createEmbeddedConfigFiles', () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>
  const write = (name: string, text: string | Buffer) => writeFile(join(temp.path, 'config', name), text)
  const open = () => createEmbeddedConfigFiles({ dataDir: temp.path, bundledDir })

  beforeEach(async () => {
    temp = await createTempDir()
    await mkdir(join(temp.path, 'config'))
  })
  afterEach(() => temp.remove())

  it('reads the text of the data folder before the bundled one', async () => {
    await write('groups.yaml', '# mine: é\n')
    expect(await open().read('groups.yaml')).toMatchObject({ text: '# mine: é\n', source: 'data' })
  })

  it('has a bundled default for every config of the catalogue, even where there is no data folder', async () => {
    const files = createEmbeddedConfigFiles({ dataDir: join(temp.path, 'nowhere'), bundledDir })
    for (const name of configNames) expect(await files.read(name)).toMatchObject({ source: 'default' })
  })

  it('gives an etag that differs whenever the text does, and is the same when it is again', async () => {
    const etags: string[] = []
    for (const text of ['a: 1', 'a: 2', 'a: 1']) {
      await write('server.yaml', text)
      etags.push((await open().read('server.yaml')).etag)
    }
    expect(etags[0]).toBe(etags[2])
    expect(etags[0]).not.toBe(etags[1])
  })

  it.each([
    '../users.yaml',
    'config/../../users.yaml',
    '/etc/hosts',
    'groups.yaml\0',
    'groups',
    '',
    'a\\b.yaml',
    '.yaml',
    'other.yaml',
  ])('knows no file named %j', async (name) => {
    await expect(open().read(name)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('refuses bytes that are not UTF-8, and says so', async () => {
    await write('groups.yaml', Buffer.from([0x61, 0xff, 0xfe]))
    await expect(open().read('groups.yaml')).rejects.toMatchObject({
      kind: 'invalid',
      publicDetail: expect.stringContaining('UTF-8'),
    })
  })

  it('does not fall back to the default where the file is there but cannot be read', async () => {
    await mkdir(join(temp.path, 'config', 'groups.yaml'))
    await expect(open().read('groups.yaml')).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
