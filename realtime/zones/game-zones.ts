import { createLocalClocks } from '../../shared/domain/zones/local-clocks.ts'
import { isZoneInForce, nextZoneChange } from '../../shared/domain/zones/zone-in-force.ts'
import { createZoneIndex } from '../../shared/domain/zones/zone-index.ts'
import type { GameZone } from './game-zone.ts'

/** The zones of a node's world as they are in force. Owned by the game loop: nothing becomes other than it was but in `step`. */
export type GameZones = {
  /** False until all zones were read for the first time; until then nobody can say where there is none. */
  isKnown(): boolean
  /** The zone in force that has the block. */
  zoneAt(x: number, y: number, z: number): GameZone | undefined
  find(id: string): GameZone | undefined
  /** Disabled ones too, in no order. */
  list(): Iterable<GameZone>
  /** Another number after every change. */
  revision(): number
  /** Once a tick, before the inbox: takes in what was read since, some of it in a later tick when it is very much. */
  step(): void
}

/** Where whoever reads zones puts them. */
export type ZoneIntake = {
  /** The zone as it is now; undefined: it is gone. In force from the next tick on, at once while zones are not known. */
  change(id: string, zone: GameZone | undefined): void
  /** Every zone was handed over. */
  complete(): void
}

/** Columns that one tick takes in, some 0.2 µs each. */
const columnsPerTick = 8192

/** The work of one more change, whatever its columns. */
const columnsOfAny = 4

/** Hours of a time zone that was not looked at before take about 0.1 ms. */
const columnsOfHours = 500

/** No zones yet, and not known to be none; `now` is the time of day, for their hours. */
export const createGameZones = (now: () => number = () => 0): GameZones & ZoneIntake => {
  const clocks = createLocalClocks()
  /** Of those that are in force. */
  const index = createZoneIndex<GameZone>()
  const zones = new Map<string, GameZone>()
  const waiting: { readonly id: string; readonly zone: GameZone | undefined }[] = []
  /** When zones change by themselves, by id. */
  const changes = new Map<string, number>()
  let taken = 0
  let isKnown = false
  let revision = 0

  /** The columns that had to be touched. */
  const take = (id: string, zone: GameZone | undefined): number => {
    const before = zones.get(id)
    index.remove(id)
    if (zone !== undefined && isZoneInForce(zone, now(), clocks)) index.put(zone)
    const nextMs = zone && nextZoneChange(zone, now(), clocks)
    if (nextMs === undefined) changes.delete(id)
    else changes.set(id, nextMs)
    if (zone === undefined) zones.delete(id)
    else zones.set(id, zone)
    revision += 1
    return (
      (before?.chunks.length ?? 0) + (zone?.chunks.length ?? 0) + columnsOfAny + (zone?.hours === undefined ? 0 : columnsOfHours)
    )
  }

  /** Those that open, close or expire at this moment. */
  const takeDue = (): void => {
    const nowMs = now()
    for (const [id, atMs] of [...changes]) if (atMs <= nowMs) take(id, zones.get(id))
  }

  return {
    isKnown: () => isKnown,
    zoneAt: index.zoneAt,
    find: (id) => zones.get(id),
    list: () => zones.values(),
    revision: () => revision,
    step: () => {
      if (changes.size > 0) takeDue()
      let columns = 0
      while (taken < waiting.length && columns < columnsPerTick) {
        const change = waiting[taken]
        taken += 1
        if (change !== undefined) columns += take(change.id, change.zone)
      }
      if (taken < waiting.length || taken === 0) return
      waiting.length = 0
      taken = 0
    },
    change: (id, zone) => {
      if (isKnown) waiting.push({ id, zone })
      else take(id, zone)
    },
    complete: () => {
      isKnown = true
    },
  }
}
