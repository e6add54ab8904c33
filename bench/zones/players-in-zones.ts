import { gameZoneOf } from '../../realtime/zones/game-zone.ts'
import { createGameZones } from '../../realtime/zones/game-zones.ts'
import { createZonePresence, createZonePresences, type ZoneVisitor } from '../../realtime/zones/zone-presence.ts'
import { createZone } from '../../test/support/zones/stored-zones.ts'
import { squareOf } from '../../test/support/zones/zone-fixture.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const zonesPerSide = 100
const zoneWidth = 3
const players = 1000
const rounds = 2000
const targetNs = 300

const createScene = () => {
  const zones = createGameZones()
  for (let n = 0; n < zonesPerSide ** 2; n += 1) {
    const [cx, cz] = [(n % zonesPerSide) * (zoneWidth + 1), Math.floor(n / zonesPerSide) * (zoneWidth + 1)]
    const zone = gameZoneOf(createZone({ chunks: squareOf(cx, cz, zoneWidth) }))
    zones.change(zone.id, zone)
  }
  zones.complete()
  const counters = { told: 0 }
  const send = (): void => {
    counters.told += 1
  }
  const visitors = Array.from(
    { length: players },
    (_, n): ZoneVisitor & { readonly body: { x: number; y: number; z: number } } => ({
      body: { x: (n % 32) * 200 + 0.5, y: 64, z: Math.floor(n / 32) * 200 + 0.5 },
      connection: { send },
      zone: createZonePresence(),
    }),
  )
  const byPlayer = new Map(visitors.map((visitor, n) => [n, visitor]))
  const presences = createZonePresences({ zones, listVisitors: () => byPlayer.values() })
  return { zones, counters, visitors, presences }
}

/** Nanoseconds per player and tick, with `move` applied to each player before the tick. */
const measure = (what: string, move: (at: { x: number; y: number; z: number }, turn: number) => void): BenchResult => {
  const { counters, visitors, presences } = createScene()
  const ns: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const { body } of visitors) move(body, turn)
    const before = performance.now()
    presences.step()
    ns.push(((performance.now() - before) * 1e6) / players)
  }
  if (counters.told === 0) throw new Error('no player entered a zone')
  const figure = `zones of ${players} players among 10,000, ${what}`
  return { bench: 'players-in-zones', figure, value: round(median(ns), 1), unit: 'ns a player and tick' }
}

const held = (result: BenchResult): BenchResult => ({ ...result, target: `under ${targetNs} ns`, met: result.value < targetNs })

/**
 * Benchmarks the cost of finding the zone of every player in each tick. It cannot show zones that open and close in that time.
 */
export const playersInZones: Bench = {
  name: 'players-in-zones',
  run: async () => [
    held(
      measure('walking', (at, turn) => {
        at.x += (turn & 1023) < 512 ? 0.25 : -0.25
      }),
    ),
    measure('each in another column than before', (at, turn) => {
      at.x += (turn & 127) < 64 ? 16 : -16
    }),
  ],
}
