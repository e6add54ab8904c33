import '../../support/jest/fixed-seed.ts'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ServerMessageKind } from '../../../realtime/protocol/messages.ts'
import { type GameZone, gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import { createGameZones } from '../../../realtime/zones/game-zones.ts'
import { createZonePresence, createZonePresences, type ZoneVisitor } from '../../../realtime/zones/greet-in-zones.ts'

const columns = fc.uniqueArray(fc.record({ cx: fc.integer({ min: -2, max: 1 }), cz: fc.integer({ min: -2, max: 1 }) }), {
  minLength: 1,
  maxLength: 6,
  selector: ({ cx, cz }) => `${cx} ${cz}`,
})
const change = fc.record({
  kind: fc.constant('change' as const),
  id: fc.constantFrom('a', 'b', 'c'),
  zone: fc.option(
    fc.record({
      name: fc.constantFrom('one', 'two'),
      yMin: fc.integer({ min: 60, max: 64 }),
      yMax: fc.integer({ min: 65, max: 70 }),
      chunks: columns,
      enabled: fc.boolean(),
    }),
    { nil: undefined },
  ),
})
const coordinate = fc.double({ min: -33, max: 33, noNaN: true })
const walk = fc.record({
  kind: fc.constant('walk' as const),
  player: fc.nat({ max: 2 }),
  to: fc.record({ x: coordinate, y: fc.double({ min: 58, max: 72, noNaN: true }), z: coordinate }),
})
const step = fc.oneof(
  { weight: 3, arbitrary: change },
  { weight: 6, arbitrary: walk },
  { weight: 4, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect' as const), player: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), player: fc.nat({ max: 2 }) }) },
)

const meets = (one: GameZone, other: GameZone): boolean =>
  one.id !== other.id &&
  one.yMin <= other.yMax &&
  other.yMin <= one.yMax &&
  one.chunks.some(({ cx, cz }) => other.chunks.some((pos) => pos.cx === cx && pos.cz === cz))

/** A client that follows ZoneChanged, and throws on contradictions. */
const createClient = () => {
  const client = {
    zone: undefined as { id: string; name: string } | undefined,
    send: (message: ServerMessageKind) => {
      if (message.$case !== 'zoneChanged') throw new Error(`received ${message.$case}`)
      const { entered, left } = message.value
      if (entered === undefined && left === undefined) throw new Error('received an empty message')
      if (left !== undefined && left.id !== client.zone?.id) throw new Error('left where it was not')
      if (left === undefined && client.zone !== undefined && entered?.id !== client.zone.id)
        throw new Error('entered without leaving')
      client.zone = entered
    },
  }
  return client
}

it('keeps the zone of every client equal to the one around its player', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 80 }), (steps) => {
      const zones = createGameZones()
      zones.complete()
      const model = new Map<string, GameZone>()
      const players = Array.from({ length: 3 }, () => ({
        body: { x: 0.5, y: 64, z: 0.5 },
        connection: createClient() as ReturnType<typeof createClient> | undefined,
        zone: createZonePresence(),
      }))
      const presences = createZonePresences({ zones, listVisitors: (): readonly ZoneVisitor[] => players })
      for (const one of [...steps, { kind: 'tick' as const }]) {
        if (one.kind === 'change') {
          const zone = one.zone && gameZoneOf({ id: one.id, owner: 'o', ...one.zone })
          if (zone !== undefined && [...model.values()].some((other) => meets(zone, other))) continue
          if (zone === undefined) model.delete(one.id)
          else model.set(one.id, zone)
          zones.change(one.id, zone)
        } else if (one.kind === 'walk') Object.assign(players[one.player]?.body ?? {}, one.to)
        else if (one.kind === 'reconnect') Object.assign(players[one.player] ?? {}, { connection: createClient() })
        else if (one.kind === 'cut') Object.assign(players[one.player] ?? {}, { connection: undefined })
        else {
          zones.step()
          presences.step()
          for (const { body, connection } of players) {
            const [cx, y, cz] = [Math.floor(body.x / 16), Math.floor(body.y), Math.floor(body.z / 16)]
            const here = [...model.values()].find(
              ({ enabled, yMin, yMax, chunks }) =>
                enabled && yMin <= y && y <= yMax && chunks.some((pos) => pos.cx === cx && pos.cz === cz),
            )
            if (connection !== undefined) expect(connection.zone).toEqual(here && { id: here.id, name: here.name })
          }
        }
      }
    }),
    { numRuns: 300 },
  )
})
