import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { open as openLmdb } from 'lmdb'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { putWrite, type Store } from '../../../../../shared/platform/storage/store.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { counters } from '../../../../support/storage/counter-collection.ts'

/** The page size of the operating system, from the header. */
const pageSizeOf = (dataFile: Buffer): number => dataFile.readUInt32LE(48)

describe('the folder of an LMDB store', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let dataPath: string
  const open = (): Store => createLmdbStore({ path, ids: systemIds })
  const fill = async (): Promise<void> => {
    const store = open()
    for (let n = 0; n < 40; n += 1)
      await store.commit(Array.from({ length: 10 }, (_, part) => putWrite(counters, `${'x'.repeat(300)}/${n}/${part}`, { n })))
    await store.close()
  }
  const failureOfOpen = (): unknown => {
    try {
      open()
    } catch (error) {
      return error
    }
    return undefined
  }
  const refusal = {
    kind: 'unavailable',
    publicDetail: expect.stringMatching(/^The record store cannot be opened: .* Fix its permissions/),
  }

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'some', 'records.v1')
    dataPath = join(path, 'data.mdb')
  })
  afterEach(() => dir.remove())

  it('is created with its parents, for its owner only', async () => {
    const store = open()
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    await store.close()
  })

  it('keeps records, versions and order when it is opened again', async () => {
    const first = open()
    const versions = [await first.put(counters, 'b', { n: 1 }), await first.put(counters, 'a', { n: 2 })]
    await first.close()
    const second = open()
    expect(await second.list(counters)).toEqual({
      records: [
        { id: 'a', version: versions[1], value: { n: 2 } },
        { id: 'b', version: versions[0], value: { n: 1 } },
      ],
    })
    await second.put(counters, 'a', { n: 3 }, { ifVersion: versions[1] ?? '' })
    await second.close()
  })

  it('is opened with an empty data file, as after a crash at the first start', async () => {
    await mkdir(path, { recursive: true })
    await writeFile(dataPath, '')
    const store = open()
    await store.put(counters, 'a', { n: 1 })
    await store.close()
  })

  it.each([
    ['is text', () => Buffer.from('records: []\n')],
    ['is noise', () => Buffer.alloc(20_000, 0xa5)],
    ['is zeros', () => Buffer.alloc(20_000)],
    ['is cut within its header', (whole: Buffer) => whole.subarray(0, 100)],
    ['is cut after its first page', (whole: Buffer) => whole.subarray(0, pageSizeOf(whole))],
    ['is cut to its headers', (whole: Buffer) => whole.subarray(0, 2 * pageSizeOf(whole))],
    ['is cut to a third', (whole: Buffer) => whole.subarray(0, Math.floor(whole.length / 3))],
    ['has no second header', (whole: Buffer) => Buffer.from(whole).fill(0, pageSizeOf(whole), 2 * pageSizeOf(whole))],
    ['is of another format version', (whole: Buffer) => Buffer.from(whole).fill(9, 28, 29)],
    ['names an impossible page size', (whole: Buffer) => Buffer.from(whole).fill(0xff, 48, 52)],
  ])('is refused with a clear error, not a crash, when its data file %s', async (_title, damage) => {
    await fill()
    await writeFile(dataPath, damage(await readFile(dataPath)))
    const failure = failureOfOpen()
    expect(failure).toMatchObject(refusal)
    expect(failure).toMatchObject({ publicDetail: expect.not.stringContaining(dir.path) })
  })

  it('keeps a refused data file unchanged', async () => {
    await mkdir(path, { recursive: true })
    await writeFile(dataPath, 'somebody else’s')
    expect(failureOfOpen()).toMatchObject(refusal)
    expect(await readFile(dataPath, 'utf8')).toBe('somebody else’s')
  })

  it('throws unavailable, without a crash, when inner pages are damaged', async () => {
    await fill()
    const bytes = await readFile(dataPath)
    await writeFile(dataPath, bytes.fill(0, 2 * pageSizeOf(bytes)))
    const failure = await Promise.resolve()
      .then(open)
      .then((store) => store.list(counters).finally(() => store.close()))
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unavailable' })
  })

  it.each([2, 3, 5])('is refused, without a crash, when pages from the %ith on are noise', async (first) => {
    await fill()
    const bytes = await readFile(dataPath)
    await writeFile(dataPath, bytes.fill(0xff, first * pageSizeOf(bytes)))
    expect(failureOfOpen()).toMatchObject(refusal)
  })

  it('is refused when a folder has the name of its lock', async () => {
    await mkdir(join(path, 'lock.mdb'), { recursive: true })
    expect(failureOfOpen()).toMatchObject(refusal)
  })

  it('is refused or complete wherever its data file was cut', async () => {
    await fill()
    const whole = await readFile(dataPath)
    const outcomes = new Set<string>()
    for (let pages = whole.length / pageSizeOf(whole); pages > 2; pages = Math.floor(pages * 0.8)) {
      await writeFile(dataPath, whole.subarray(0, pages * pageSizeOf(whole)))
      const failure = failureOfOpen()
      outcomes.add(failure === undefined ? 'whole' : 'refused')
      if (failure !== undefined) expect(failure).toMatchObject(refusal)
      else {
        const store = open()
        expect((await store.list(counters, { limit: 1000 })).records).toHaveLength(400)
        await store.close()
      }
    }
    expect(outcomes).toContain('refused')
  })

  it('is refused when it is a file, or has a folder in place of data', async () => {
    await mkdir(dataPath, { recursive: true })
    expect(failureOfOpen()).toMatchObject(refusal)
    path = join(dir.path, 'file')
    await writeFile(path, '')
    expect(failureOfOpen()).toMatchObject(refusal)
  })

  it('is refused when it is an LMDB environment of another program', async () => {
    const other = openLmdb({ path, noSubdir: false })
    await other.put('theirs', 1)
    await other.close()
    expect(failureOfOpen()).toMatchObject(refusal)
    const again = openLmdb({ path, noSubdir: false })
    expect(again.get('theirs')).toBe(1)
    await again.close()
  })

  it('refuses writes while it is moved away, and does not report that as a full disk', async () => {
    const store = open()
    await store.put(counters, 'a', { n: 1 })
    await rename(path, `${path}.aside`)
    const publicDetail = 'The record store does not answer.'
    await expect(store.put(counters, 'a', { n: 2 })).rejects.toMatchObject({ kind: 'unavailable', publicDetail })
    await rename(`${path}.aside`, path)
    await store.put(counters, 'a', { n: 2 })
    await store.close()
  })

  it('grows far beyond its first size and is opened again', async () => {
    await fill()
    const store = open()
    const text = 'x'.repeat(100_000)
    for (let n = 0; n < 20; n += 1) await store.commit([{ kind: 'put', collection: 'large', id: String(n), value: text }])
    await store.close()
    const again = open()
    expect((await again.list(counters, { limit: 1000 })).records).toHaveLength(400)
    await again.close()
  })
})
