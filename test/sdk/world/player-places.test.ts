import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Players } from '../../../sdk/protocol/generated/gatehouse.ts'
import { createPlayerPlaces } from '../../../sdk/world/player-places.ts'

const appears = (x: number, ref = 1, displayName = 'ann'): Players => {
  const position = { x, y: 64, z: 0, yaw: 0, pitch: 0 }
  return { tick: 1, cells: [], gone: [], appeared: [{ ref, playerId: `id-${ref}`, displayName, position }] }
}

const moves = (x: number, yawUnits = 0, ref = 1): Players => {
  const moved = new Uint8Array(10)
  const bytes = new DataView(moved.buffer)
  bytes.setUint16(0, ref, true)
  bytes.setUint16(2, x * 64, true)
  bytes.setUint16(4, 64 * 64, true)
  bytes.setUint8(8, yawUnits)
  return { tick: 2, cells: [{ cell: { x: 0, z: 0 }, moved }], appeared: [], gone: [] }
}

const drawnX = (places: ReturnType<typeof createPlayerPlaces>, atMs: number) => places.drawAt(atMs)[0]?.x

describe('players in view', () => {
  it('are drawn 100 ms in the past, between two places', () => {
    const places = createPlayerPlaces()
    places.apply(appears(1), 1_000)
    places.apply(moves(2), 1_050)
    places.apply(moves(3), 1_100)
    expect([1_100, 1_125, 1_150, 1_175, 1_200].map((atMs) => drawnX(places, atMs))).toEqual([1, 1.5, 2, 2.5, 3])
  })

  it('never go beyond the last reported position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 400 })), { minLength: 1 }),
        (steps) => {
          const places = createPlayerPlaces()
          let atMs = 1_000
          const told = [8]
          places.apply(appears(8), atMs)
          for (const [x, afterMs] of steps) {
            atMs += afterMs
            places.apply(moves(x), atMs)
            told.push(x)
            for (const later of [0, 20, 60, 100, 500]) {
              const drawn = drawnX(places, atMs + later) ?? Number.NaN
              expect(drawn).toBeGreaterThanOrEqual(Math.min(...told))
              expect(drawn).toBeLessThanOrEqual(Math.max(...told))
            }
            expect(drawnX(places, atMs + 100)).toBe(x)
          }
        },
      ),
    )
  })

  it('that stood still for long start to move in time', () => {
    const places = createPlayerPlaces()
    places.apply(appears(1), 1_000)
    places.apply(moves(2), 9_000)
    expect(drawnX(places, 9_040)).toBe(1)
    expect(drawnX(places, 9_075)).toBe(1.5)
  })

  it('do not slide on a teleport', () => {
    const places = createPlayerPlaces()
    places.apply(appears(1), 1_000)
    places.apply(moves(40), 1_050)
    expect(drawnX(places, 1_149)).toBe(1)
    expect(drawnX(places, 1_150)).toBe(40)
  })

  it('move evenly far away, with two steps an event and uneven latency', () => {
    const places = createPlayerPlaces()
    places.apply(appears(1), 1_000)
    const before = drawnX(places, 1_111)
    places.apply(moves(3), 1_112)
    // There is no jump at this step nor at the next one.
    expect([before, drawnX(places, 1_112)]).toEqual([1, 1])
    expect([1_137, 1_162, 1_187].map((atMs) => drawnX(places, atMs))).toEqual([1.5, 2, 2.5])
    const late = drawnX(places, 1_311)
    places.apply(moves(5), 1_312)
    expect([late, drawnX(places, 1_312), drawnX(places, 1_362)]).toEqual([3, 3, 4])
  })

  it('turn the shorter way around', () => {
    const places = createPlayerPlaces()
    places.apply(appears(1), 1_000)
    places.apply(moves(1, 250), 1_050)
    places.apply(moves(1, 6), 1_100)
    expect(places.drawAt(1_175)[0]?.yaw).toBeCloseTo(0, 5)
  })

  it('disappear on request, and moves of unknown ones are ignored', () => {
    const places = createPlayerPlaces()
    places.apply(appears(1), 1_000)
    places.apply(moves(2, 0, 7), 1_050)
    expect(places.list()).toMatchObject([{ playerId: 'id-1', x: 1 }])
    places.apply({ tick: 3, cells: [], appeared: [], gone: [1] }, 1_100)
    expect(places.count()).toBe(0)
    expect(places.find('id-1')).toBeUndefined()
  })
})
