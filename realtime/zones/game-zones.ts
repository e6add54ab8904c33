import { createLocalClocks } from '../../shared/domain/zones/local-clocks.ts'
import { createZoneIndex, isZoneActive, nextZoneChange } from '../../shared/domain/zones/zone-index.ts'
import type { GameZone } from './game-zone.ts'

/** The active zones of a node's world. Owned by the game loop. They change only in `step`. */
export type GameZones = {
  /** False until all zones have been read. */
  isKnown(): boolean
  /** The active zone with that block. */
  zoneAt(x: number, y: number, z: number): GameZone | undefined
  find(id: string): GameZone | undefined
  /** All zones, including disabled ones, unordered. */
  list(): Iterable<GameZone>
  /** Changes with every update. */
  revision(): number
  /** Once a tick, before the inbox: applies zones that have been read. Large updates take several ticks. */
  step(): void
}

/** Receives zones from a reader. */
export type ZoneIntake = {
  /** The current zone. Undefined: it was deleted. Applies from the next tick, or immediately until the first read is complete. */
  change(id: string, zone: GameZone | undefined): void
  /** All zones have been read. */
  complete(): void
}

/** The number of columns that one tick applies, at about 0.2 µs each. */
const columnsPerTick = 8192

/** The fixed cost of a change, in columns. */
const columnsOfAny = 4

/** The cost of the first use of a time zone, in columns: about 0.1 ms. */
const columnsOfHours = 500

/** Starts without zones, and not known to be complete. `now` is the time for opening hours. */
export const createGameZones = (now: () => number = () => 0): GameZones & ZoneIntake => {
  const clocks = createLocalClocks()
  /** Active zones only. */
  const index = createZoneIndex<GameZone>()
  const zones = new Map<string, GameZone>()
  const waiting: { readonly id: string; readonly zone: GameZone | undefined }[] = []
  /** When zones change because of the time, by id. */
  const changes = new Map<string, number>()
  let taken = 0
  let isKnown = false
  let revision = 0

  /** Returns the number of updated columns. */
  const take = (id: string, zone: GameZone | undefined): number => {
    const before = zones.get(id)
    index.remove(id)
    if (zone !== undefined && isZoneActive(zone, now(), clocks)) index.put(zone)
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

  /** Applies zones that open, close or expire now. */
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
