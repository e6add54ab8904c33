import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { open as openLmdb } from 'lmdb'
import type { ChunkStore, WorldRef } from '../../../../../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { waitFor } from '../../../../../support/time/wait-for.ts'
import { batchOf, batchWorld as world } from '../../../../../support/worlds/chunk-batches.ts'

/** The page size of the operating system, from the header. */
const pageSizeOf = (dataFile: Buffer): number => dataFile.readUInt32LE(48)

const unusable = (detail: string | RegExp) => ({
  kind: 'unavailable',
  slug: 'world-unusable',
  publicDetail: expect.stringMatching(detail),
})
const damaged = unusable(/^The chunks of the world batches cannot be used: .*damaged or cut short\. Restore .* from a backup\.$/)
const foreign = unusable(/belongs to another world or another program\. Move that data away/)

describe('the folder of chunks in LMDB', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let folder: string
  let dataPath: string
  let stores: ChunkStore[]
  const open = (openMax = 4): ChunkStore => {
    const store = createLmdbChunkStore({ path, openMax })
    stores.push(store)
    return store
  }
  const fill = async (): Promise<void> => {
    const store = open()
    for (let n = 0; n < 12; n += 1) await store.putMany(world, batchOf(n), 3)
    for (let n = 0; n < 3; n += 1) await store.putMany(world, batchOf(n), 3)
    await store.close()
  }
  const openRaw = () => openLmdb<Buffer, Buffer>({ path: folder, noSubdir: false, encoding: 'binary', keyEncoding: 'binary' })
  const read = (store = open(), ref: WorldRef = world) => store.get(ref, { cx: 0, cz: 0 })
  const write = (store = open(), ref: WorldRef = world) => store.putMany(ref, batchOf(0), 3)
  const refuses = async (refusal: ReturnType<typeof unusable>, ref: WorldRef = world): Promise<void> => {
    const store = open()
    await expect(read(store, ref)).rejects.toMatchObject(refusal)
    await expect(write(store, ref)).rejects.toMatchObject(refusal)
    await expect(store.stats(ref)).rejects.toMatchObject(refusal)
    const failure = await read(store, ref).catch((error: unknown) => error)
    expect(failure).toMatchObject({ publicDetail: expect.not.stringContaining(dir.path) })
  }

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'data', 'worlds')
    folder = join(path, world.name)
    dataPath = join(folder, 'data.mdb')
    stores = []
  })
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await dir.remove()
  })

  it('is not created by a read', async () => {
    const store = open()
    expect(await read(store)).toBeUndefined()
    expect((await store.stats(world)).chunkCount).toBe(0)
    expect(existsSync(join(dir.path, 'data'))).toBe(false)
  })

  it('is created with its parents by the first write, for its owner only', async () => {
    await write()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await readdir(folder)).sort()).toEqual(['data.mdb', 'lock.mdb'])
  })

  it('keeps columns, counts, columns set aside and the fence when it is opened again', async () => {
    const first = open()
    await first.putMany(world, batchOf(0), 7)
    await first.setAside(world, { cx: 0, cz: 3 }, 8)
    await first.close()
    const second = open()
    expect((await second.stats(world)).chunkCount).toBe(19)
    expect(await second.has(world, { cx: 0, cz: 3 })).toBe(false)
    const aside = []
    for await (const record of second.listSetAside(world)) aside.push(record)
    expect(aside).toMatchObject([{ cx: 0, cz: 3 }])
    await expect(second.putMany(world, batchOf(1), 7)).rejects.toMatchObject({ slug: 'lease-lost' })
    await second.putMany(world, batchOf(1), 8)
  })

  it('reports the size of its data file', async () => {
    const store = open()
    await store.putMany(world, batchOf(0), 3)
    expect((await store.stats(world)).sizeBytes).toBe((await stat(dataPath)).size)
  })

  it.each([
    ['is empty', async () => mkdir(folder, { recursive: true })],
    [
      'has empty files, as after a crash at the very first start',
      async () => {
        await mkdir(folder, { recursive: true })
        await writeFile(dataPath, '')
        await writeFile(join(folder, 'lock.mdb'), '')
      },
    ],
    [
      'has only hidden files',
      async () => {
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, '.DS_Store'), 'x')
      },
    ],
  ])('is used when it %s', async (_title, prepare) => {
    await prepare()
    const store = open()
    expect(await read(store)).toBeUndefined()
    await write(store)
    expect(await read(store)).toBeDefined()
  })

  it('is refused and unchanged when it has foreign files', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'r.0.0.mca'), 'x')
    await refuses(unusable(/has files, but none of Gatehouse/))
    expect(await readdir(folder)).toEqual(['r.0.0.mca'])
  })

  it('is refused when it is a file', async () => {
    await mkdir(path, { recursive: true })
    await writeFile(folder, 'x')
    await refuses(foreign)
  })

  it('is refused when it is of another world, whatever its name', async () => {
    await fill()
    await rename(folder, join(path, 'moved'))
    await refuses(foreign, { name: 'moved', id: 'another' })
    expect(await read(open(), { name: 'moved', id: world.id })).toBeDefined()
  })

  it('is noticed within moments when another world replaces it while it is open', async () => {
    await fill()
    const [reader, writer] = [open(), open()]
    await Promise.all([read(reader), write(writer)])
    await rename(folder, `${folder}-before`)
    const other: WorldRef = { ...world, id: '11111111-1111-4111-8111-111111111111' }
    const others = createLmdbChunkStore({ path })
    await others.putMany(other, batchOf(5), 1)
    await others.close()
    const failureOf = (work: Promise<unknown>) => work.then(() => undefined, Object)
    await waitFor(async () => (await failureOf(read(reader))) !== undefined)
    await expect(read(reader)).rejects.toMatchObject(foreign)
    await waitFor(async () => (await failureOf(write(writer))) !== undefined)
    await expect(write(writer)).rejects.toMatchObject(unusable(/replaced or removed while it was in use\. Restart the server/))
  })

  it('is refused when it is an LMDB environment of another program', async () => {
    const other = openRaw()
    await other.put(Buffer.from('theirs'), Buffer.from('1'))
    await other.close()
    await refuses(foreign)
    const again = openRaw()
    expect([...again.getKeys()].map(String)).toEqual(['theirs'])
    await again.close()
  })

  it.each([
    [
      'a newer version',
      { format: 'gatehouse chunks', version: 2, anything: true },
      unusable(/they were written by a newer version of Gatehouse/),
    ],
    ['another format', { format: 'gatehouse records', version: 1 }, foreign],
    ['no version', { format: 'gatehouse chunks' }, foreign],
    ['no world', { format: 'gatehouse chunks', version: 1 }, foreign],
  ])('is refused when its header names %s', async (_title, identity, refusal) => {
    await fill()
    const raw = openRaw()
    await raw.put(Buffer.from('\0identity'), Buffer.from(JSON.stringify(identity)))
    await raw.close()
    await refuses(refusal)
  })

  it('is refused when its header is not JSON', async () => {
    await fill()
    const raw = openRaw()
    await raw.put(Buffer.from('\0identity'), Buffer.from('{'))
    await raw.close()
    await refuses(foreign)
  })

  it.each([
    ['is text', () => Buffer.from('chunks: []\n')],
    ['is noise', () => Buffer.alloc(20_000, 0xa5)],
    ['is zeros', () => Buffer.alloc(20_000)],
    ['is cut within its header', (whole: Buffer) => whole.subarray(0, 100)],
    ['is cut to its headers', (whole: Buffer) => whole.subarray(0, 2 * pageSizeOf(whole))],
    ['has no second header', (whole: Buffer) => Buffer.from(whole).fill(0, pageSizeOf(whole), 2 * pageSizeOf(whole))],
    ['is of another format version', (whole: Buffer) => Buffer.from(whole).fill(9, 28, 29)],
    ['names an impossible page size', (whole: Buffer) => Buffer.from(whole).fill(0xff, 48, 52)],
    ...[0.2, 0.4, 0.6, 0.8, 0.9, 0.97].map(
      (part) => [`is cut to ${part} of its size`, (whole: Buffer) => whole.subarray(0, Math.floor(whole.length * part))] as const,
    ),
  ])('is refused with a clear error, not a crash, when its data file %s', async (_title, damage) => {
    await fill()
    const bytes = damage(await readFile(dataPath))
    await writeFile(dataPath, bytes)
    await refuses(damaged)
    expect((await readFile(dataPath)).equals(bytes)).toBe(true)
  })

  it('is unusable, without a crash, when inner pages are noise', async () => {
    await fill()
    const bytes = await readFile(dataPath)
    await writeFile(dataPath, bytes.fill(0xff, 2 * pageSizeOf(bytes)))
    await refuses(damaged)
  })

  it('is unusable, without a crash, when inner pages are zeros', async () => {
    await fill()
    const bytes = await readFile(dataPath)
    await writeFile(dataPath, bytes.fill(0, 2 * pageSizeOf(bytes)))
    await refuses(damaged)
  })

  it('is used when LMDB left the data file shorter than its header says', async () => {
    await mkdir(folder, { recursive: true })
    await fill()
    const raw = openRaw()
    for (let n = 0; n < 2; n += 1)
      await raw.transaction(() => {
        raw.putSync(Buffer.from('xx'), Buffer.alloc(300_000))
        raw.removeSync(Buffer.from('xx'))
      })
    await raw.close()
    const bytes = await readFile(dataPath)
    const newest = Math.max(...[0, pageSizeOf(bytes)].map((at) => Number(bytes.readBigUInt64LE(at + 144))))
    expect(bytes.length / pageSizeOf(bytes)).toBeLessThan(newest + 1)
    expect(await read()).toBeDefined()
  })

  it('is one of many, of which few are open at once', async () => {
    const store = open(2)
    const worlds = Array.from({ length: 9 }, (_, n) => ({ name: `world-${n}`, id: String(n) }))
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.all(worlds.map((each) => store.putMany(each, batchOf(turn), 1)))
      const counts = await Promise.all(worlds.map(async (each) => (await store.stats(each)).chunkCount))
      expect(counts).toEqual(worlds.map(() => (turn + 1) * 20))
    }
    for (const each of worlds) expect(await read(store, each)).toBeDefined()
  })
})
