import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { decodeChunk } from '../../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { bitsFor, createChunk, dataBytes, entryAt, getBlock, setBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { createSampleRegistry, listBlocks } from '../../../support/worlds/chunk-samples.ts'

const ids = Array.from({ length: 400 }, (_, place) => `kind_${place}`)

describe('a column in memory', () => {
  it.each([
    [0, 0, 0],
    [1, 0, 0],
    [2, 1, 512],
    [3, 2, 1024],
    [4, 2, 1024],
    [5, 4, 2048],
    [16, 4, 2048],
    [17, 8, 4096],
    [256, 8, 4096],
    [257, 16, 8192],
    [4096, 16, 8192],
  ])('packs a palette of %d into entries of %d bits, %d bytes a section', (length, bits, bytes) => {
    expect(bitsFor(length)).toBe(bits)
    expect(dataBytes(bitsFor(length))).toBe(bytes)
  })

  it('numbers entries by x, then z, then y, of the lowest four bits of each', () => {
    expect(entryAt(0, 0, 0)).toBe(0)
    expect(entryAt(1, 0, 0)).toBe(1)
    expect(entryAt(0, 0, 1)).toBe(16)
    expect(entryAt(0, 1, 0)).toBe(256)
    expect(entryAt(-1, 255, -1)).toBe(4095)
    expect(entryAt(-30_000_000, 64, 29_999_999)).toBe(15 * 16)
  })

  it('is all air when new, and gets no section for air', () => {
    const chunk = createChunk(3, -4)
    expect([chunk.cx, chunk.cz, chunk.sections.length]).toEqual([3, -4, 16])
    setBlock(chunk, { x: 1, y: 200, z: 1 }, 0)
    expect(chunk.sections.every((section) => section === undefined)).toBe(true)
    expect(getBlock(chunk, 1, 200, 1)).toBe(0)
  })

  it('accepts world coordinates and its own', () => {
    const chunk = createChunk(-2, 5)
    setBlock(chunk, { x: -17, y: 70, z: 81 }, 9)
    expect(getBlock(chunk, 15, 70, 1)).toBe(9)
    expect(getBlock(chunk, -17, 70, 81)).toBe(9)
    expect(getBlock(chunk, -18, 70, 81)).toBe(0)
  })

  it('shares sections of one block with other columns, but not their changes', () => {
    const registry = createSampleRegistry(ids)
    const [one, other] = [createChunk(0, 0), createChunk(0, 0)]
    for (const chunk of [one, other])
      for (let at = 0; at < 4096; at += 1) setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, 7)
    const [read, reread] = [one, other].map((chunk) => decodeChunk(encodeChunk(chunk, registry), chunk, registry))
    if (read?.ok !== true || reread?.ok !== true) throw new Error('not read')
    expect(read.chunk.sections[0]).toBe(reread.chunk.sections[0])
    setBlock(read.chunk, { x: 1, y: 2, z: 3 }, 9)
    setBlock(read.chunk, { x: 1, y: 20, z: 3 }, 9)
    expect(getBlock(read.chunk, 1, 2, 3)).toBe(9)
    expect(getBlock(read.chunk, 1, 20, 3)).toBe(9)
    expect(getBlock(reread.chunk, 1, 2, 3)).toBe(7)
    expect(getBlock(reread.chunk, 1, 20, 3)).toBe(0)
    expect(getBlock(createChunk(1, 1), 1, 20, 3)).toBe(0)
  })

  it('keeps every block while the entries of a section widen from 0 to 16 bits', () => {
    const chunk = createChunk(0, 0)
    for (let at = 0; at < 4096; at += 1) setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, at + 1)
    expect(chunk.sections[0]).toMatchObject({ bits: 16 })
    expect(listBlocks(chunk, getBlock).subarray(0, 4096)).toEqual(Uint16Array.from({ length: 4096 }, (_, at) => at + 1))
  })

  it('equals a plain array of blocks after any edits, saves and loads', () => {
    const edit = fc.record({ at: fc.nat(65_535), index: fc.oneof(fc.nat(4), fc.nat(401)) })
    const fill = fc.record({ from: fc.nat(65_535), length: fc.nat(9000), index: fc.nat(401) })
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.array(edit, { maxLength: 40 }).map((edits) => ({ edits })) },
      { weight: 2, arbitrary: fill.map((range) => ({ range })) },
      { weight: 2, arbitrary: fc.constant({ save: true }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const registry = createSampleRegistry(ids)
        const model = new Uint16Array(65_536)
        let chunk = createChunk(7, -9)
        const put = (at: number, index: number) => {
          model[at] = index
          setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, index)
        }
        for (const one of steps) {
          if ('edits' in one) for (const { at, index } of one.edits) put(at, index)
          else if ('range' in one)
            for (let at = one.range.from; at < Math.min(65_536, one.range.from + one.range.length); at += 1)
              put(at, one.range.index)
          else {
            const loaded = decodeChunk(encodeChunk(chunk, registry), chunk, registry)
            if (!loaded.ok) throw new Error(loaded.fault)
            chunk = loaded.chunk
          }
        }
        expect(Buffer.compare(Buffer.from(listBlocks(chunk, getBlock).buffer), Buffer.from(model.buffer))).toBe(0)
      }),
      { numRuns: 60 },
    )
  })
})
