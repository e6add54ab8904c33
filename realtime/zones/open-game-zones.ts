import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { createGameZones, type GameZones } from './game-zones.ts'
import { createZoneReader } from './zone-reader.ts'
import { createZoneWatch } from './zone-watch.ts'

/** The zones of a world, kept as they are in the store until `close`. */
export type OpenGameZones = GameZones & {
  /** Reads what changed until now; it is in force from the next tick on. Never rejects. */
  check(): Promise<void>
  close(): void
}

export type OpenGameZonesDeps = {
  readonly store: Pick<Store, 'get' | 'list'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly worldName: string
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** How often it is asked whether an event was lost; 2 s unless told otherwise. */
  readonly checkEveryMs?: number
}

/** Resolves when the zones were read; with the store out of reach, when that is clear: they are not known then, and it is tried again. */
export const openGameZones = async ({
  store,
  events,
  worldName,
  clock,
  log,
  checkEveryMs,
}: OpenGameZonesDeps): Promise<OpenGameZones> => {
  const zones = createGameZones(clock.now)
  const readChanged = createZoneReader({ store, worldName, intake: zones, log })
  const { check, start, close } = createZoneWatch({ readChanged, worldName, events, log })
  await check()
  // Not waited for: with Redis away the store is asked until events arrive.
  start(checkEveryMs).catch((error: unknown) => log.error({ err: error }, 'changes of zones are noticed by asking only'))
  return { ...zones, check, close }
}
