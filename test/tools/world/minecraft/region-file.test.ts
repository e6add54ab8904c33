import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readRegionFile } from '../../../../tools/world/minecraft/region-file.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { regionOf, type WrittenColumn, writeRegion } from '../../../support/worlds/region-writer.ts'

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const plain = (cx: number, cz: number, words: string): WrittenColumn => ({ cx, cz, type: 3, payload: text(words) })

describe('a region file', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  beforeEach(async () => {
    folder = await createTempDir()
    path = join(folder.path, 'r.-1.2.mca')
  })
  afterEach(() => folder.remove())

  const read = async () => {
    const columns: unknown[] = []
    const faults: string[] = []
    for await (const column of readRegionFile({ path, rx: -1, rz: 2 }, (fault) => faults.push(fault)))
      columns.push(
        'nbt' in column
          ? [column.cx, column.cz, new TextDecoder().decode(column.nbt)]
          : [column.cx, column.cz, column.skip.reason, column.skip.detail],
      )
    return { columns, faults }
  }

  it('returns each column at its place in the world, with any compression', async () => {
    await writeRegion(path, [
      plain(-1, 64, 'last of the first row'),
      { cx: -32, cz: 95, type: 2, payload: deflateSync(text('deflated')) },
    ])
    expect(await read()).toEqual({
      columns: [
        [-1, 64, 'last of the first row'],
        [-32, 95, 'deflated'],
      ],
      faults: [],
    })
  })

  it('has no columns when it is empty, as before the first save of Minecraft', async () => {
    await writeFile(path, '')
    expect(await read()).toEqual({ columns: [], faults: [] })
  })

  it.each([100, 4095, 8191])('is faulty as a whole when it is cut to %i bytes', async (bytes) => {
    await writeFile(path, regionOf([plain(-1, 64, 'a')]).subarray(0, bytes))
    expect(await read()).toEqual({ columns: [], faults: ['it ends within its header'] })
  })

  it('is faulty as a whole when it is a folder or missing', async () => {
    expect(await read()).toEqual({ columns: [], faults: [expect.stringContaining('cannot be opened')] })
    path = folder.path
    expect(await read()).toEqual({ columns: [], faults: [expect.stringContaining('cannot be read')] })
  })

  const lies: [string, Partial<WrittenColumn>, string][] = [
    ['its offset points into the header', { sector: 1 }, 'into the header'],
    ['its offset is beyond the end', { sector: 4000 }, 'past the end'],
    ['it is longer than its sectors', { length: 5000 }, 'longer than its sectors'],
    ['it is longer than four gigabytes less one', { length: 0xffff_ffff }, 'longer than its sectors'],
    ['it runs past the end of the file', { length: 200_000, sectors: 255 }, 'ends within it'],
    ['it has no data', { length: 1 }, 'no data'],
    ['its length is nought', { length: 0 }, 'no data'],
    ['its compression is unknown', { type: 9 }, 'no compression of type 9'],
    ['its compressed data is rubbish', { type: 2 }, 'compressed data is damaged'],
    ['its separate file is missing', { type: 130 }, 'c.-1.64.mcc, which does not exist'],
  ]
  it.each(lies)('reports a column as damaged where %s, and reads the next', async (_, lie, fault) => {
    await writeRegion(path, [{ ...plain(-1, 64, 'lies'), ...lie }, plain(-2, 65, 'the next')])
    expect(await read()).toEqual({
      columns: [
        [-1, 64, 'damaged', expect.stringContaining(fault)],
        [-2, 65, 'the next'],
      ],
      faults: [],
    })
  })

  it('reports a column as damaged that inflates to more than 16 MiB', async () => {
    const bomb = deflateSync(Buffer.alloc(17 * 1024 * 1024))
    await writeRegion(path, [{ cx: -1, cz: 64, payload: bomb }])
    expect(await read()).toEqual({ columns: [[-1, 64, 'damaged', 'it inflates to more than 16777216 bytes']], faults: [] })
  })

  it('reports a column with LZ4 as not supported, with the setting that helps', async () => {
    await writeRegion(path, [{ ...plain(-1, 64, 'x'), type: 4 }])
    const { columns } = await read()
    expect(columns).toEqual([[-1, 64, 'unsupported-compression', expect.stringContaining('region-file-compression=deflate')]])
  })

  it('reads an oversized column from the file beside it', async () => {
    await writeRegion(path, [{ ...plain(-1, 64, ''), payload: text('x'), type: 128 + 2 }])
    await writeFile(join(folder.path, 'c.-1.64.mcc'), deflateSync(text('far too much')))
    expect(await read()).toEqual({ columns: [[-1, 64, 'far too much']], faults: [] })
  })

  it('never throws, whatever bytes of it are changed', async () => {
    const whole = regionOf([plain(-1, 64, 'one'), { cx: -9, cz: 70, type: 2, payload: deflateSync(text('two')) }])
    const places = fc.oneof(fc.nat(whole.length - 1), fc.constantFrom(124, 125, 126, 127, 8192, 8193, 8194, 8195, 8196))
    const changes = fc.array(fc.tuple(places, fc.nat(255)), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(whole.length), async (changed, cut) => {
        const bytes = Buffer.from(whole)
        for (const [at, byte] of changed) bytes[at] = byte
        await writeFile(path, cut % 3 === 0 ? bytes.subarray(0, cut) : bytes)
        const { columns } = await read()
        expect(columns.length).toBeLessThanOrEqual(1024)
      }),
      { numRuns: 100 },
    )
  })

  it('returns the columns before the place where the file is cut', async () => {
    await writeRegion(path, [plain(-1, 64, 'before'), plain(-2, 64, 'after')])
    await truncate(path, 3 * 4096)
    expect(await read()).toEqual({
      columns: [
        [-2, 64, 'damaged', 'its location is past the end of the file'],
        [-1, 64, 'before'],
      ],
      faults: [],
    })
  })
})
