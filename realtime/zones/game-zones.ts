import { createZoneIndex } from '../../shared/zones/zone-index.ts'
import type { GameZone } from './game-zone.ts'

/** The zones of a node's world as they are in force. Owned by the game loop: nothing becomes other than it was but in `step`. */
export type GameZones = {
  /** False until all zones were read for the first time; until then nobody can say where there is none. */
  isKnown(): boolean
  /** The enabled zone that has the block. */
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

/** No zones yet, and not known to be none. */
export const createGameZones = (): GameZones & ZoneIntake => {
  /** Of those that are enabled. */
  const index = createZoneIndex<GameZone>()
  const zones = new Map<string, GameZone>()
  const waiting: { readonly id: string; readonly zone: GameZone | undefined }[] = []
  let taken = 0
  let isKnown = false
  let revision = 0

  /** The columns that had to be touched. */
  const take = (id: string, zone: GameZone | undefined): number => {
    const before = zones.get(id)
    if (before?.enabled === true) index.remove(id)
    if (zone?.enabled === true) index.put(zone)
    if (zone === undefined) zones.delete(id)
    else zones.set(id, zone)
    revision += 1
    return (before?.chunks.length ?? 0) + (zone?.chunks.length ?? 0) + columnsOfAny
  }

  return {
    isKnown: () => isKnown,
    zoneAt: index.zoneAt,
    find: (id) => zones.get(id),
    list: () => zones.values(),
    revision: () => revision,
    step: () => {
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
