import { lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { configNames } from '../../../../../../shared/domain/configs/catalogue.ts'
import type { ConfigFiles } from '../../../../../../shared/domain/configs/texts/config-files.ts'
import { createEmbeddedConfigFiles } from '../../../../../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { AppError } from '../../../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../../shared/platform/storage/store.ts'
import { describeConfigFiles } from '../../../../../contracts/config-files-contract.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../../support/time/fixed-clock.ts'

const shippedDir = resolve(import.meta.dirname, '../../../../../../resources/config')

const put = async (path: string, text: string | Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

describeConfigFiles('in a data folder', async ({ bundled, clock, ids }) => {
  const temp = await createTempDir()
  const [dataDir, bundledDir] = [join(temp.path, 'data'), join(temp.path, 'bundled')]
  for (const [name, text] of Object.entries(bundled)) await put(join(bundledDir, name), text)
  return {
    files: createEmbeddedConfigFiles({ dataDir, bundledDir, store: createMemoryStore(), clock, ids }),
    dispose: temp.remove,
  }
})

describe('config files in a data folder', () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>
  let store: Store
  let files: ConfigFiles
  const pathOf = (name: string) => join(temp.path, 'config', name)
  const write = (name: string, text: string | Buffer) => put(pathOf(name), text)
  const open = (over: Partial<Parameters<typeof createEmbeddedConfigFiles>[0]> = {}) =>
    createEmbeddedConfigFiles({
      dataDir: temp.path,
      bundledDir: shippedDir,
      store,
      clock: createFixedClock(),
      ids: systemIds,
      ...over,
    })
  const save = (text: string, to = files) => to.write('groups.yaml', text, { savedBy: 'ann@x.y' })
  const listTexts = async () => {
    const revisions = await files.revisions('groups.yaml')
    return Promise.all(revisions.map(({ revision }) => files.findRevision('groups.yaml', revision)))
  }

  beforeEach(async () => {
    temp = await createTempDir()
    store = createMemoryStore()
    files = open()
  })
  afterEach(() => temp.remove())

  it('has a bundled default for every config, even without a data folder', async () => {
    const nowhere = open({ dataDir: join(temp.path, 'nowhere') })
    for (const name of configNames) expect(await nowhere.read(name)).toMatchObject({ source: 'default' })
  })

  it('reads no other file of the data folder: accounts are not a config', async () => {
    await write('users.yaml', 'users: []\n')
    await expect(files.read('users.yaml')).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('never writes to the folder of the bundled texts', async () => {
    const bundledDir = join(temp.path, 'bundled')
    await put(join(bundledDir, 'groups.yaml'), 'shipped')
    await save('mine', open({ bundledDir }))
    expect(await readFile(join(bundledDir, 'groups.yaml'), 'utf8')).toBe('shipped')
    expect(await readdir(bundledDir)).toEqual(['groups.yaml'])
  })

  it('leaves only the lock beside the files, and creates folders when needed', async () => {
    await save('a')
    await save('b')
    expect((await readdir(join(temp.path, 'config'))).toSorted()).toEqual(['.configs.lock', 'groups.yaml'])
  })

  it.each([
    ['a folder', () => mkdir(pathOf('groups.yaml'), { recursive: true })],
    [
      'a link to nowhere',
      () => mkdir(dirname(pathOf('x')), { recursive: true }).then(() => symlink('nowhere', pathOf('groups.yaml'))),
    ],
    [
      'a link to itself',
      () => mkdir(dirname(pathOf('x')), { recursive: true }).then(() => symlink('groups.yaml', pathOf('groups.yaml'))),
    ],
    [
      'a device that never ends',
      () => mkdir(dirname(pathOf('x')), { recursive: true }).then(() => symlink('/dev/zero', pathOf('groups.yaml'))),
    ],
  ])('neither falls back to the default nor overwrites %s in place of a file', async (_, make) => {
    await make()
    await expect(files.read('groups.yaml')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(save('a')).rejects.toMatchObject({ kind: 'unavailable', publicDetail: expect.stringContaining('groups.yaml') })
    expect((await lstat(pathOf('groups.yaml'))).isFile()).toBe(false)
    expect(await files.revisions('groups.yaml')).toEqual([])
  })

  it('refuses a file that is not UTF-8, and keeps it as a revision when it is replaced', async () => {
    await write('groups.yaml', Buffer.from([0x61, 0xff, 0xfe]))
    await expect(files.read('groups.yaml')).rejects.toMatchObject({
      kind: 'invalid',
      publicDetail: expect.stringContaining('UTF-8'),
    })
    await save('a')
    expect(await listTexts()).toEqual(['aÿþ'])
  })

  it('neither reads nor overwrites a file above 1 MiB, which no revision could store', async () => {
    await write('groups.yaml', 'x'.repeat(1_048_577))
    await expect(files.read('groups.yaml')).rejects.toMatchObject({ kind: 'invalid', slug: 'invalid-config' })
    await expect(save('a')).rejects.toMatchObject({
      kind: 'conflict',
      publicDetail: expect.stringContaining('larger than 1 MiB'),
    })
    expect((await readFile(pathOf('groups.yaml'))).length).toBe(1_048_577)
  })

  it('keeps a hand-edited text as a revision with its author and time', async () => {
    await write('groups.yaml', 'by hand')
    await utimes(pathOf('groups.yaml'), 0, Date.parse('2025-05-05T05:05:05Z') / 1000)
    await save('a')
    expect(await listTexts()).toEqual(['by hand'])
    expect(await files.revisions('groups.yaml')).toMatchObject([{ savedBy: 'file', savedAt: '2025-05-05T05:05:05.000Z' }])
    await write('groups.yaml', 'by hand again')
    expect(await listTexts()).toEqual(['a', 'by hand'])
    await save('b')
    expect(await listTexts()).toEqual(['by hand again', 'a', 'by hand'])
  })

  it('lists a text once that was restored by hand', async () => {
    for (const text of ['a', 'b']) await save(text)
    await write('groups.yaml', 'a')
    expect((await listTexts()).slice(0, 1)).toEqual(['b'])
    await save('c')
    expect((await listTexts()).filter((text) => text === 'a' || text === 'b').toSorted()).toEqual(['a', 'b'])
  })

  it('continues from the default after a file is deleted by hand', async () => {
    await save('a')
    await rm(pathOf('groups.yaml'))
    expect(await files.read('groups.yaml')).toMatchObject({ source: 'default' })
    await save('b')
    expect((await listTexts()).toSorted()).toEqual([await readFile(join(shippedDir, 'groups.yaml'), 'utf8'), 'a'].toSorted())
  })

  it('restarts from a hand edit in the middle of a save', async () => {
    await save('a')
    const { etag } = await files.read('groups.yaml')
    const meddling = (): Store => {
      let left = 1
      return {
        ...store,
        commit: async (writes) => {
          if (left-- > 0) await write('groups.yaml', 'by hand')
          return store.commit(writes)
        },
      }
    }
    await save('b', open({ store: meddling() }))
    expect((await files.read('groups.yaml')).text).toBe('b')
    expect((await listTexts()).slice(0, 2)).toEqual(['by hand', 'a'])
    await expect(
      open({ store: meddling() }).write('groups.yaml', 'c', { savedBy: 'a@x.y', ifEtag: (await files.read('groups.yaml')).etag }),
    ).rejects.toMatchObject({ kind: 'stale' })
    expect((await files.read('groups.yaml')).text).toBe('by hand')
    expect((await files.read('groups.yaml')).etag).not.toBe(etag)
  })

  it('keeps a link, and writes its target', async () => {
    await put(join(temp.path, 'elsewhere.yaml'), 'linked')
    await mkdir(dirname(pathOf('x')), { recursive: true })
    await symlink('../elsewhere.yaml', pathOf('groups.yaml'))
    await save('a')
    expect((await lstat(pathOf('groups.yaml'))).isSymbolicLink()).toBe(true)
    expect(await readFile(join(temp.path, 'elsewhere.yaml'), 'utf8')).toBe('a')
    expect(await listTexts()).toEqual(['linked'])
  })

  it('saves nothing when the revision cannot be stored', async () => {
    await save('a')
    const failure = new AppError('unavailable', 'service-unavailable', 'The record store does not answer.')
    const away = open({ store: { ...store, commit: () => Promise.reject(failure) } })
    await expect(save('b', away)).rejects.toBe(failure)
    expect((await files.read('groups.yaml')).text).toBe('a')
    expect((await readdir(join(temp.path, 'config'))).toSorted()).toEqual(['.configs.lock', 'groups.yaml'])
  })

  it('lists no revision twice when a process died between the revision and the save', async () => {
    await save('a')
    const dying = (): Store => {
      const keep = async <T>(done: Promise<T>): Promise<T> => {
        await done
        throw new Error('died')
      }
      return { ...store, commit: (writes) => keep(store.commit(writes)), put: (...put) => keep(store.put(...put)) }
    }
    for (const text of ['b', 'b', 'c', 'd']) await expect(save(text, open({ store: dying() }))).rejects.toThrow()
    expect((await files.read('groups.yaml')).text).toBe('a')
    expect(await listTexts()).not.toContain('a')
    for (const text of ['d', 'e']) await save(text)
    const texts = await listTexts()
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.slice(0, 2)).toEqual(['d', 'a'])
    const revisions = await files.revisions('groups.yaml')
    expect(new Set(revisions.map(({ savedBy }) => savedBy))).toEqual(new Set(['ann@x.y', 'default']))
  })

  it('keeps an old text that was restored by hand', async () => {
    for (let at = 0; at <= 20; at += 1) await save(`text ${at}`)
    await write('groups.yaml', 'text 0')
    for (let at = 30; at < 40; at += 1) await save(`text ${at}`)
    expect(await listTexts()).toContain('text 0')
  })

  it('keeps no part of a text whose revision is gone', async () => {
    const parts = { name: 'config-revision-texts', parse: (stored: unknown) => stored }
    for (let at = 0; at < 25; at += 1) await save(`${at} ${at % 2 ? systemIds.secret().repeat(20_000) : ''}`)
    const { records } = await store.list(parts, { limit: 1000 })
    expect(new Set(records.map(({ id }) => id.split('/')[0])).size).toBe(21)
    expect(await listTexts()).toHaveLength(20)
  })
})
