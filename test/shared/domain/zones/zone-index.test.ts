import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createZoneIndex, type IndexedZone } from '../../../../shared/domain/zones/zone-index.ts'
import { chunkMax, chunkMin } from '../../../../shared/rules/positions.ts'
import '../../../support/jest/fixed-seed.ts'
import { squareOf } from '../../../support/zones/zone-fixture.ts'

const zoneOf = (id: string, chunks: IndexedZone['chunks'], yMin = 0, yMax = 255): IndexedZone => ({ id, yMin, yMax, chunks })

const near = fc.integer({ min: -2, max: 2 })
const coordinate = fc.oneof(near, near, fc.constantFrom(chunkMin, chunkMin + 1, chunkMax))
const columns = fc.array(fc.record({ cx: coordinate, cz: coordinate }), { minLength: 1, maxLength: 12 })
const heights = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 3 })).map(([yMin, more]) => ({ yMin, yMax: yMin + more }))
const steps = fc.array(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), chunks: columns, heights, isGone: fc.boolean() }),
  { minLength: 1, maxLength: 20 },
)

const hasColumn = (zone: IndexedZone, cx: number, cz: number): boolean =>
  zone.chunks.some((chunk) => chunk.cx === cx && chunk.cz === cz)
const overlaps = (one: IndexedZone, other: IndexedZone): boolean =>
  one.yMin <= other.yMax && other.yMin <= one.yMax && one.chunks.some(({ cx, cz }) => hasColumn(other, cx, cz))

describe('a zone index', () => {
  it('answers as a plain list of zones does after any changes', () => {
    fc.assert(
      fc.property(steps, columns, (changes, probes) => {
        const index = createZoneIndex<IndexedZone>()
        const model = new Map<string, IndexedZone>()
        for (const { id, chunks, heights: range, isGone } of changes) {
          const zone = { id, ...range, chunks: [...new Map(chunks.map((pos) => [`${pos.cx},${pos.cz}`, pos])).values()] }
          const others = [...model.values()].filter((other) => other.id !== id)
          const blocking = others.filter((other) => overlaps(zone, other))
          const overlap = index.findOverlap(zone, id)
          if (blocking.length === 0) expect(overlap).toBeUndefined()
          else expect(blocking).toContain(overlap)
          if (isGone) {
            index.remove(id)
            model.delete(id)
          } else if (blocking.length === 0) {
            index.put(zone)
            model.set(id, zone)
          }
          const zones = [...model.values()]
          expect(index.size).toBe(zones.length)
          expect(new Set(index.list())).toEqual(new Set(zones))
          expect(index.find(id)).toBe(model.get(id))
          for (const { cx, cz } of [...probes, ...zone.chunks]) {
            const there = zones.filter((one) => hasColumn(one, cx, cz)).sort((one, other) => one.yMin - other.yMin)
            expect(index.zonesIn(cx, cz)).toEqual(there)
            for (const y of [-1, 0, range.yMin - 1, range.yMin, range.yMax, range.yMax + 1, 12])
              expect(index.zoneAt(cx * 16 + 15, y, cz * 16)).toBe(there.find(({ yMin, yMax }) => yMin <= y && y <= yMax))
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('contains a zone up to each of its edges, and not one block further', () => {
    const index = createZoneIndex<IndexedZone>()
    const zone = zoneOf('a', [{ cx: -1, cz: 2 }], 10, 20)
    index.put(zone)
    for (const x of [-16, -1]) for (const z of [32, 47]) for (const y of [10, 20]) expect(index.zoneAt(x, y, z)).toBe(zone)
    for (const [x, y, z] of [
      [-17, 10, 32],
      [0, 10, 32],
      [-16, 9, 32],
      [-16, 21, 32],
      [-16, 10, 31],
      [-16, 10, 48],
    ] as const)
      expect(index.zoneAt(x, y, z)).toBeUndefined()
  })

  it('treats a fractional position as the block that contains it', () => {
    const index = createZoneIndex<IndexedZone>()
    const zone = zoneOf('a', [{ cx: -1, cz: -1 }], 10, 20)
    index.put(zone)
    expect(index.zoneAt(-0.001, 20.999, -15.999)).toBe(zone)
    expect(index.zoneAt(0.001, 20.5, -1)).toBeUndefined()
    expect(index.zoneAt(-1, 9.999, -1)).toBeUndefined()
  })

  it('forgets earlier columns and heights of a zone that is put again', () => {
    const index = createZoneIndex<IndexedZone>()
    index.put(zoneOf('a', squareOf(0, 0, 3), 0, 10))
    const moved = zoneOf('a', squareOf(2, 2, 2), 20, 30)
    index.put(moved)
    expect(index.zoneAt(0, 5, 0)).toBeUndefined()
    expect(index.zoneAt(40, 5, 40)).toBeUndefined()
    expect(index.zoneAt(40, 25, 40)).toBe(moved)
    expect(index.size).toBe(1)
  })

  it('keeps zones above one another apart when one of them is put again or removed', () => {
    const index = createZoneIndex<IndexedZone>()
    const layer = (n: number, chunks = squareOf(0, 0, 2)) => zoneOf(String(n), chunks, 10 * n, 10 * n + 5)
    for (const n of [3, 1, 2]) index.put(layer(n))
    index.put(layer(2, squareOf(1, 0, 2)))
    expect(index.zonesIn(0, 0).map(({ id }) => id)).toEqual(['1', '3'])
    expect(index.zonesIn(1, 0).map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(index.zonesIn(2, 0).map(({ id }) => id)).toEqual(['2'])
    index.remove('1')
    expect(index.zonesIn(1, 1).map(({ id }) => id)).toEqual(['2', '3'])
    expect(index.zoneAt(16, 12, 16)).toBeUndefined()
  })

  it('holds 3,000 zones that are added and removed all over the world', () => {
    const index = createZoneIndex<IndexedZone>()
    const zoneAt = (n: number) => zoneOf(String(n), [{ cx: ((n * 7919) % 3_000_000) - 1_500_000, cz: (n * 104_729) % 1_800_000 }])
    for (let n = 0; n < 3000; n += 1) {
      index.put(zoneAt(n))
      if (n >= 100) index.remove(String(n - 100))
    }
    expect(index.size).toBe(100)
    for (let n = 0; n < 3000; n += 1) {
      const [{ cx, cz } = { cx: 0, cz: 0 }] = zoneAt(n).chunks
      expect(index.zoneAt(cx * 16, 64, cz * 16)?.id).toBe(n < 2900 ? undefined : String(n))
    }
  })
})
