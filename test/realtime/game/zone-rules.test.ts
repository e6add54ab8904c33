import { describe, expect, it } from '@jest/globals'
import { createEditGuard, createHoldsByGrant, findClosedZone } from '../../../realtime/game/zone-rules.ts'
import { gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import { createGameZones } from '../../../realtime/zones/game-zones.ts'
import { sweepZones } from '../../../realtime/zones/sweep-zones.ts'
import { createPermissions } from '../../../shared/domain/permissions/permissions.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createEditFixture } from '../../support/realtime/edit-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

const instant = (ms: number) => new Date(ms).toISOString()
const inside = { x: 1, y: 64, z: 1 }
const outside = { x: -1, y: 64, z: 1 }

const openZones = (parts: Partial<Zone>) => {
  const clock = createFixedClock()
  const zones = createGameZones(clock.now)
  const zone = { ...createZone({ yMin: 60, yMax: 70 }), owner: 'owner', ...parts }
  zones.change(zone.id, gameZoneOf(zone))
  zones.complete()
  return { clock, zones, zone }
}

describe('permission to build in a zone', () => {
  type Row = readonly [NonNullable<Zone['rules']>['build'], string, boolean, boolean, boolean]
  const rows: readonly Row[] = [
    ['permission', 'stranger', true, false, true],
    ['permission', 'owner', false, false, false],
    ['members', 'stranger', true, false, false],
    ['members', 'stranger', true, true, true],
    ['members', 'member', false, false, true],
    ['members', 'owner', false, false, true],
    ['everyone', 'stranger', false, false, true],
    ['nobody', 'owner', true, true, false],
  ]
  it.each(rows)('with the rule %s: %s, with zone.build (%s), with a grant there (%s): %s', (build, who, holds, byGrant, may) => {
    const { zones } = openZones({ rules: { build, enter: 'everyone' }, members: ['member'] })
    const guard = createEditGuard<string>({ zones, holds: () => holds, holdsByGrant: () => byGrant, playerIdOf: (id) => id })
    expect(guard(who, [inside]) === undefined).toBe(may)
    expect(guard(who, [outside])).toBeUndefined()
  })
})

describe('a grant of zone.build for a zone that members build in', () => {
  const grantOf = (id: string, more: object) => ({ id, by: 'operator', at: instant(0), ...more })
  const inZone = grantOf('zone', { permission: 'zone.build', zone: 'here' })
  const groups = [
    { name: 'player', permissions: ['world.build'] },
    { name: 'builder', permissions: ['world.build', 'zone.build'] },
    { name: 'jailed', permissions: ['-zone.build'] },
  ]
  it.each([
    ['alone', ['player'], [inZone], true],
    ['with a group that allows it everywhere', ['builder'], [inZone], true],
    ['with an earlier grant everywhere', ['player'], [grantOf('all', { permission: 'zone.build' }), inZone], true],
    ['as a group of the player', ['builder'], [grantOf('group', { group: 'builder', zone: 'here' })], true],
    ['for another zone', ['builder'], [{ ...inZone, zone: 'there' }], false],
    ['that has expired', ['builder'], [{ ...inZone, until: instant(1) }], false],
    ['that a group denies', ['jailed'], [inZone], false],
    ['that does not exist', ['builder'], [], false],
  ])('%s: %j, %j: %s', (_how, own, grants, may) => {
    const permissions = createPermissions({ groups, defaultGroups: [] }, createFixedClock())
    const account = { groups: own, ...(grants.length > 0 && { grants }) }
    const holdsByGrant = createHoldsByGrant(permissions, () => ({ zone: 'here' }))
    expect(holdsByGrant({ account, verified: true } as never, 'zone.build', inside)).toBe(may)
  })
})

it('stops players without access at the edge, admits members, and lets players inside leave', () => {
  const { zones, zone } = openZones({ rules: { build: 'permission', enter: 'members' }, members: ['member'] })
  const go = (playerId: string, from: typeof inside, to: typeof inside, verified = true) =>
    findClosedZone(zones, { account: { playerId, passwordHash: 'a hash' }, verified, body: from }, to)?.id
  expect(go('stranger', outside, inside)).toBe(zone.id)
  expect(['member', 'owner'].map((who) => go(who, outside, inside))).toEqual([undefined, undefined])
  expect(['member', 'owner'].map((who) => go(who, outside, inside, false))).toEqual([zone.id, zone.id])
  expect([go('stranger', inside, inside), go('stranger', inside, outside)]).toEqual([undefined, undefined])
})

it('applies only within its hours, from the exact tick on, and ends when it expires', () => {
  const { clock, zones } = openZones({})
  const start = clock.now()
  const zone = {
    ...createZone({ yMin: 60, yMax: 70 }),
    opensAt: instant(start + 1000),
    closesAt: instant(start + 2000),
    expiresAt: instant(start + 5000),
  }
  const other = createGameZones(clock.now)
  other.change(zone.id, gameZoneOf(zone))
  other.complete()
  const isThere = () => {
    other.step()
    return other.zoneAt(1, 64, 1) !== undefined
  }
  const seen = [isThere()]
  for (const ms of [999, 1, 999, 1, 3000]) {
    clock.advance(ms)
    seen.push(isThere())
  }
  expect(seen).toEqual([false, false, true, true, false, false])
  expect(zones.find(zone.id)).toBeUndefined()
})

it('is deleted by the system once it has expired, unless its expiry was extended', async () => {
  const { clock, zones, zone } = openZones({ expiresAt: instant(Date.parse('2026-01-01T00:00:01.000Z')) })
  const removed: unknown[] = []
  let stored: Zone = zone
  const service = {
    getZone: async () => ({ zone: stored, version: 'v' }),
    removeZone: async (actor: { readonly email: string }, id: string, version?: string) =>
      void removed.push([actor.email, id, version]),
  }
  const sweep = () => sweepZones({ gameZones: zones, zones: service, clock, ids: systemIds, log: silentLog })
  await sweep()
  clock.advance(1000)
  stored = { ...zone, expiresAt: '2999-01-01T00:00:00.000Z' }
  await sweep()
  expect(removed).toEqual([])
  stored = zone
  await sweep()
  expect(removed).toEqual([['system', zone.id, 'v']])
})

const createScene = ({ enabled = true, builds = false } = {}) => {
  const zones = createGameZones()
  const zone = createZone({ enabled, yMin: 62, yMax: 66 })
  zones.change(zone.id, gameZoneOf(zone))
  zones.complete()
  const holds = (_actor: unknown, permission: string) => permission !== 'zone.build' || builds
  const guard = createEditGuard({ zones, holds })
  return { zones, zone, ...createEditFixture({ holds, guard }) }
}

const placesInside = [
  [14, 62, 14],
  [15, 66, 15],
] as const
const placesOutside = [
  [14, 61, 14],
  [15, 67, 15],
  [16, 64, 15],
  [15, 64, 16],
] as const
const reason = 'missing-permission: zone.build in zone "Town"'

describe('an edit', () => {
  const places = [...placesInside.map((at) => [...at, true] as const), ...placesOutside.map((at) => [...at, false] as const)]
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
