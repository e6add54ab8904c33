import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { createGameZones, type GameZones } from './game-zones.ts'
import { createZoneReader } from './zone-reader.ts'
import { createZoneWatch } from './zone-watch.ts'

/** The zones of a world, kept up to date until `close`. */
export type OpenGameZones = GameZones & {
  /** Reads the latest changes. They apply from the next tick. Never rejects. */
  check(): Promise<void>
  close(): void
}

export type OpenGameZonesDeps = {
  readonly store: Pick<Store, 'get' | 'list'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly worldName: string
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** The polling interval in case an event was lost. 2 s by default. */
  readonly checkEveryMs?: number
}

/**
 * Resolves when the zones have been read, or when the store turns out to be unavailable. In that case they stay unknown, and it is
 * tried again.
 */
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
  // Not awaited: without Redis it polls the store until events arrive.
  start(checkEveryMs).catch((error: unknown) => log.error({ err: error }, 'no events for zones; polling instead'))
  return { ...zones, check, close }
}
