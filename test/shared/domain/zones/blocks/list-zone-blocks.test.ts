import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { encodeChunk } from '../../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { ChunkStore } from '../../../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { listZoneBlocks } from '../../../../../shared/domain/zones/blocks/list-zone-blocks.ts'
import { createTurns } from '../../../../../shared/kernel/turns.ts'
import { type Chunk, createChunk, setBlock } from '../../../../../shared/rules/chunks/chunk.ts'
import { chunkMax, chunkMin } from '../../../../../shared/rules/positions.ts'
import { createCapturedLog } from '../../../../support/time/silent-log.ts'
import { createSampleChunk, createSampleRegistry } from '../../../../support/worlds/chunk-samples.ts'
import {
  type Area,
  linesOf,
  listedWorld,
  listedZoneId,
  readLines,
  storeColumns,
  zoneOver,
} from '../../../../support/zones/listed-zone.ts'

const registry = createSampleRegistry(['stone', 'soil', 'ore', 'tower'])
const max = 300_000

const list = async (area: Area, chunks: Pick<ChunkStore, 'getMany'>, column?: { cx: number; cz: number }) => {
  const { log, lines: logged } = createCapturedLog()
  const { total, pieces } = await listZoneBlocks(
    { chunks, turns: createTurns(), log },
    { zone: zoneOver(area), world: listedWorld, column },
  )
  return { total, logged, lines: await readLines(pieces) }
}

const listStored = async (area: Area, column?: { cx: number; cz: number }) => {
  const chunks = createMemoryChunkStore()
  await storeColumns(chunks, area.columns, registry)
  return list(area, chunks, column)
}

/** A column of one block up to a height. */
const createSolid = (cx: number, cz: number, height: number, index = 2): Chunk => {
  const chunk = createChunk(cx, cz)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < 16; x += 1) for (let z = 0; z < 16; z += 1) setBlock(chunk, { x, y, z }, index)
  return chunk
}

const block = fc.record({ x: fc.nat(15), y: fc.nat(255), z: fc.nat(15), kind: fc.nat(40) })
const slab = fc.record({ y: fc.nat(255), kind: fc.integer({ min: 1, max: 40 }) })
const columnArbitrary = fc.record({
  cx: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(chunkMin, chunkMax, -7, 62)),
  cz: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(chunkMin, chunkMax, 6, 624)),
  blocks: fc.array(block, { maxLength: 60 }),
  slabs: fc.array(slab, { maxLength: 6 }),
})

const manyKinds = createSampleRegistry(Array.from({ length: 20 }, (_, n) => `kind_${n}`))
// Kinds that no `blocks.yaml` has.
for (let n = 0; n < 20; n += 1) manyKinds.intern(`lost_${n}`)

const toChunk = ({ cx, cz, blocks, slabs }: typeof columnArbitrary extends fc.Arbitrary<infer T> ? T : never): Chunk => {
  const chunk = createChunk(cx, cz)
  for (const { y, kind } of slabs)
    for (let x = 0; x < 16; x += 1) for (let z = 0; z < 16; z += 1) setBlock(chunk, { x, y, z }, kind)
  for (const { kind, ...at } of blocks) setBlock(chunk, at, kind)
  return chunk
}

describe('the blocks of a zone', () => {
  it('are those between its heights, by layer, column, x and z', async () => {
    const columnsArbitrary = fc.uniqueArray(columnArbitrary, { maxLength: 6, selector: ({ cx, cz }) => `${cx},${cz}` })
    await fc.assert(
      fc.asyncProperty(columnsArbitrary, fc.nat(255), fc.nat(255), async (made, one, other) => {
        const area = { yMin: Math.min(one, other), yMax: Math.max(one, other), columns: made.map(toChunk) }
        const chunks = createMemoryChunkStore()
        await storeColumns(chunks, area.columns, manyKinds)
        const { total, lines } = await list(area, chunks)
        const expected = linesOf(area, manyKinds)
        expect(lines).toEqual(expected)
        expect(total).toBe(expected.length)
      }),
      { numRuns: 60 },
    )
  })

  it('are the same with any entry width of the sections', async () => {
    const kinds = createSampleRegistry(Array.from({ length: 600 }, (_, n) => `kind_${n}`))
    for (const count of [1, 2, 3, 4, 5, 16, 17, 256, 257, 600]) {
      const chunk = createChunk(-2, 5)
      for (let at = 0; at < 4096; at += 1)
        setBlock(chunk, { x: at & 15, y: 32 + (at >> 8), z: (at >> 4) & 15 }, at % 3 === 0 && count > 1 ? 0 : 2 + (at % count))
      const chunks = createMemoryChunkStore()
      await storeColumns(chunks, [chunk], kinds)
      const area = { yMin: 33, yMax: 46, columns: [chunk] }
      expect((await list(area, chunks)).lines).toEqual(linesOf(area, kinds))
    }
  })

  it('end at the 300,000th of the lowest layers, and the total counts all', async () => {
    // 40 columns have 256 blocks per layer each, so the limit is in the middle of the 30th layer.
    const columns = Array.from({ length: 40 }, (_, n) => createSolid(n - 20, 3, 40))
    const area = { yMin: 5, yMax: 255, columns }
    const { total, lines } = await listStored(area)
    const expected = linesOf(area, registry)
    expect(total).toBe(expected.length)
    expect(total).toBe(40 * 256 * 35)
    expect(lines).toHaveLength(max)
    expect(lines).toEqual(expected.slice(0, max))
  })

  it.each([
    ['one less than the cap', 299_999],
    ['the cap exactly', 300_000],
    ['one more', 300_001],
  ])('are complete or cut, at %s', async (_name, count) => {
    const full = Math.floor(count / 65_536)
    const columns = Array.from({ length: full }, (_, n) => createSolid(n, 0, 256))
    const rest = createChunk(full, 0)
    for (let at = 0; at < count - full * 65_536; at += 1) setBlock(rest, { x: at & 15, y: 255 - (at >> 8), z: (at >> 4) & 15 }, 3)
    const area = { yMin: 0, yMax: 255, columns: [...columns, rest] }
    const { total, lines } = await listStored(area)
    expect(total).toBe(count)
    expect(lines).toEqual(linesOf(area, registry).slice(0, max))
  })

  it('end within the first layer when that exceeds the limit', async () => {
    const chunks: Pick<ChunkStore, 'getMany'> = {
      getMany: async (_world, positions) => positions.map(({ cx, cz }) => encodeChunk(createSolid(cx, cz, 2), registry)),
    }
    const columns = Array.from({ length: 1200 }, (_, n) => createChunk(Math.floor(n / 40), n % 40))
    const { total, lines } = await list({ yMin: 0, yMax: 255, columns }, chunks)
    expect(total).toBe(1200 * 512)
    expect(lines).toHaveLength(max)
    expect(lines.at(-1)).toBe(JSON.stringify({ x: 29 * 16 + 13, y: 0, z: 11 * 16 + 15, type: 'stone' }))
  })

  it('are empty for a zone of air, and for missing columns', async () => {
    const columns = [createChunk(0, 0), createChunk(4, 4)]
    expect(await listStored({ yMin: 0, yMax: 255, columns })).toMatchObject({ total: 0, lines: [] })
    expect(await list({ yMin: 0, yMax: 255, columns }, createMemoryChunkStore())).toMatchObject({ total: 0, lines: [] })
  })

  it('are those of one column on request, and none of a column outside of the zone', async () => {
    const columns = [createSampleChunk(-1, 0), createSampleChunk(0, 0), createSampleChunk(0, 1)]
    const area = { yMin: 20, yMax: 60, columns }
    const expected = linesOf({ ...area, columns: columns.slice(0, 1) }, registry)
    expect(await listStored(area, { cx: -1, cz: 0 })).toMatchObject({ total: expected.length, lines: expected })
    expect(await listStored(area, { cx: 0, cz: -1 })).toMatchObject({ total: 0, lines: [] })
  })

  it('omit a damaged, a misplaced and a newer column, with a log entry', async () => {
    const columns = [createSampleChunk(0, 0), createSampleChunk(0, 1), createSampleChunk(0, 2), createSampleChunk(0, 3)]
    const chunks = createMemoryChunkStore()
    await storeColumns(chunks, columns, registry)
    const [, torn = new Uint8Array()] = await chunks.getMany(listedWorld, columns)
    torn[40] = 255 - (torn[40] ?? 0)
    const moved = encodeChunk(createSampleChunk(9, 9), registry)
    await chunks.putMany(
      listedWorld,
      [
        { cx: 0, cz: 1, bytes: torn },
        { cx: 0, cz: 2, bytes: moved },
        { cx: 0, cz: 3, bytes: Uint8Array.of(1) },
      ],
      1,
    )
    const area = { yMin: 0, yMax: 255, columns }
    const { total, lines, logged } = await list(area, chunks)
    const expected = linesOf({ ...area, columns: columns.slice(0, 1) }, registry)
    expect({ total, lines }).toEqual({ total: expected.length, lines: expected })
    expect(logged).toHaveLength(3)
    expect(logged[0]).toMatchObject({ level: 40, world: 'default', zoneId: listedZoneId, cx: 0, cz: 1 })
  })
})
