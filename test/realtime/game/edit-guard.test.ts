import { describe, expect, it } from '@jest/globals'
import { createEditGuard } from '../../../realtime/game/edit-guard.ts'
import { gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import { createGameZones } from '../../../realtime/zones/game-zones.ts'
import { createEditFixture } from '../../support/realtime/edit-fixture.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

const createScene = ({ enabled = true, builds = false } = {}) => {
  const zones = createGameZones()
  const zone = createZone({ enabled, yMin: 62, yMax: 66 })
  zones.change(zone.id, gameZoneOf(zone))
  zones.complete()
  const holds = (_actor: unknown, permission: string) => permission !== 'zone.build' || builds
  const guard = createEditGuard({ zones, holds })
  return { zones, zone, ...createEditFixture({ holds, guard }) }
}

const inside = [
  [14, 62, 14],
  [15, 66, 15],
] as const
const outside = [
  [14, 61, 14],
  [15, 67, 15],
  [16, 64, 15],
  [15, 64, 16],
] as const
const reason = 'missing-permission: zone.build in zone "Town"'

describe('an edit', () => {
  const places = [...inside.map((at) => [...at, true] as const), ...outside.map((at) => [...at, false] as const)]
  const rows = places.flatMap(([x, y, z, isInside]) =>
    [true, false].flatMap((enabled) => [true, false].map((builds) => [x, y, z, isInside, enabled, builds] as const)),
  )
  it.each(rows)(
    'at %i %i %i (inside: %s) follows the zone (enabled: %s) and the permission (%s)',
    (x, y, z, isInside, enabled, builds) => {
      const { place, join, tick, writer } = createScene({ enabled, builds })
      const ann = join('ann')
      place(ann, 1, [x, y, z])
      tick()
      const refused = isInside && enabled && !builds
      expect(ann.answers).toEqual(refused ? [{ seq: 1, ok: false, reason, index: 0 }] : [])
      return writer.settle()
    },
  )

  it('is refused whole when one block of it is inside', () => {
    const { place, join, memory } = createScene()
    const ann = join('ann')
    place(ann, 1, [16, 66, 16], [17, 66, 16], [15, 66, 15])
    expect(ann.answers).toEqual([{ seq: 1, ok: false, reason, index: 2 }])
    expect(memory().size).toBe(0)
  })

  it('that breaks a block is refused like one that places it', () => {
    const { place, join } = createScene()
    const ann = join('ann')
    place(ann, 1, [15, 66, 15, 'air'])
    expect(ann.answers).toEqual([{ seq: 1, ok: false, reason, index: 0 }])
  })

  it('is refused everywhere while zones are unknown', () => {
    const zones = createGameZones()
    const { place, join, tick } = createEditFixture({ guard: createEditGuard({ zones, holds: () => true }) })
    const ann = join('ann')
    place(ann, 1, [15, 66, 15])
    zones.complete()
    place(ann, 2, [15, 66, 15])
    tick()
    expect(ann.answers).toEqual([{ seq: 1, ok: false, reason: 'zones-unknown' }])
  })

  it('is decided by the current zones from the next tick on', () => {
    const { place, join, tick, zones, zone } = createScene({ enabled: false })
    const ann = join('ann')
    zones.change(zone.id, gameZoneOf({ ...zone, enabled: true }))
    place(ann, 1, [15, 66, 15])
    zones.step()
    place(ann, 2, [15, 65, 15])
    zones.change(zone.id, undefined)
    zones.step()
    place(ann, 3, [15, 65, 15])
    tick()
    expect(ann.answers).toEqual([{ seq: 2, ok: false, reason, index: 0 }])
  })
})
