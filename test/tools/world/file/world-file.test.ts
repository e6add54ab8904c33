import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readWorldFile } from '../../../../shared/domain/world-moves/files/import/read-world-file.ts'
import type { ChunkRecord } from '../../../../shared/domain/worlds/store/chunk-store.ts'
import { writeWorldFile } from '../../../../tools/world/file/write-world-file.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'

const header = {
  format: 2,
  name: 'north',
  seed: -7,
  generator: 'terrain-1',
  settings: { seaLevel: 62 },
  createdAt: '2026-01-01T00:00:00.000Z',
  chunkCount: 3,
  spawn: { x: 8.5, y: 70, z: -3.5, yaw: 90 },
}
const records: ChunkRecord[] = [
  { cx: -5, cz: 9, bytes: Buffer.alloc(70_000, 7) },
  { cx: 0, cz: -1, bytes: Uint8Array.from([1]) },
  { cx: 0, cz: 0, bytes: Uint8Array.from([2, 3]) },
]
async function* each(items: readonly ChunkRecord[]) {
  yield* items
}

describe('a world file', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  beforeEach(async () => {
    folder = await createTempDir()
    path = join(folder.path, 'north.world')
  })
  afterEach(() => folder.remove())

  const write = (items = records, head = header) => writeWorldFile(path, { header: head, records: each(items) })
  const read = async () => {
    const file = await readWorldFile(path)
    try {
      const columns: unknown[] = []
      for await (const { cx, cz, bytes } of file.records) columns.push({ cx, cz, bytes: Buffer.from(bytes).toString('hex') })
      return { header: file.header, found: columns }
    } finally {
      file.close()
    }
  }
  const refusal = async (): Promise<string> => {
    try {
      await read()
      return 'none'
    } catch (error) {
      if (typeof error === 'object' && error !== null && 'publicDetail' in error) return String(error.publicDetail)
      throw error
    }
  }
  /** Rewrites the file with changed contents. */
  const alter = async (change: (bytes: Buffer) => Buffer) => writeFile(path, gzipSync(change(gunzipSync(await readFile(path)))))

  it('returns the written records', async () => {
    await write()
    const hex = records.map(({ cx, cz, bytes }) => ({ cx, cz, bytes: Buffer.from(bytes).toString('hex') }))
    expect(await read()).toEqual({ header, found: hex })
    await write([])
    expect(await read()).toEqual({ header, found: [] })
  })

  it('is refused wherever it is cut off', async () => {
    await write()
    const whole = await readFile(path)
    for (let bytes = 0; bytes < whole.length; bytes += 1) {
      await writeFile(path, whole.subarray(0, bytes))
      expect(await refusal()).toMatch(/cut off|no world/)
    }
  })

  it('is refused when any byte is changed', async () => {
    await write()
    const whole = await readFile(path)
    const [at, bit] = [fc.nat(whole.length - 1), fc.nat(7)]
    await fc.assert(
      fc.asyncProperty(at, bit, async (place, shift) => {
        const hurt = Buffer.from(whole)
        hurt[place] = (hurt[place] ?? 0) ^ (1 << shift)
        await writeFile(path, hurt)
        const reason = await refusal()
        // Some fields of the gzip header, such as time and operating system, and bits between blocks do not affect the contents.
        if (reason === 'none') expect(gunzipSync(hurt)).toEqual(gunzipSync(whole))
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['one of its columns was changed', (bytes: Buffer) => bytes.fill(8, 1000, 1001), 'SHA-256'],
    ['it was cut and compressed again', (bytes: Buffer) => bytes.subarray(0, 5000), 'cut off'],
    ['its end was removed', (bytes: Buffer) => bytes.subarray(0, -1), 'cut off'],
    ['bytes follow its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)]), 'after its end'],
  ])('is refused when %s', async (_, change, fault) => {
    await write()
    await alter(change)
    expect(await refusal()).toContain(fault)
  })

  it('is refused when its columns are out of order or listed twice', async () => {
    await write([...records].reverse())
    expect(await refusal()).toContain('out of order')
    await write([records[1], records[1]].filter((record) => record !== undefined))
    expect(await refusal()).toContain('out of order')
  })

  it('is refused when a column is too long or outside of the world', async () => {
    await write([{ cx: 2_000_000, cz: 0, bytes: Uint8Array.from([1]) }])
    expect(await refusal()).toContain('outside the world')
    await write([])
    await alter((bytes) => {
      bytes.writeUInt32LE(0x7fff_ffff, bytes.length - 44)
      return bytes
    })
    expect(await refusal()).toContain('too long')
  })

  it('is refused with its own message when it is foreign, newer, missing or a folder', async () => {
    expect(await refusal()).toContain('no such file')
    await writeFile(path, 'hello, I am a text')
    expect(await refusal()).toContain('not a world that Gatehouse exported')
    await writeFile(path, gzipSync('hello, I am a compressed text'))
    expect(await refusal()).toContain('not a world that Gatehouse exported')
    await write(records, { ...header, format: 4 })
    expect(await refusal()).toContain('newer Gatehouse')
    await write(records, { ...header, name: 'no such name!' })
    expect(await refusal()).toContain('header is not valid')
    path = join(folder.path, 'a folder')
    await mkdir(path)
    expect(await refusal()).toContain('is a folder')
  })

  it('keeps the previous file, and leaves nothing behind, when the columns fail midway', async () => {
    await write([])
    const before = await readFile(path)
    async function* failing() {
      yield* records
      throw new Error('the disk caught fire')
    }
    await expect(writeWorldFile(path, { header, records: failing() })).rejects.toThrow('the disk caught fire')
    expect(await readdir(folder.path)).toEqual(['north.world'])
    expect(await readFile(path)).toEqual(before)
  })

  it('reports why it cannot be written, without its path', async () => {
    const refused = { kind: 'unavailable', publicDetail: 'The file cannot be written there.' }
    const contents = { header, records: each(records) }
    await expect(writeWorldFile(join(folder.path, 'nowhere', 'x'), contents)).rejects.toMatchObject(refused)
    await expect(writeWorldFile(folder.path, contents)).rejects.toMatchObject({ kind: 'invalid' })
  })
})
