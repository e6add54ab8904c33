import type { Log } from '../../shared/kernel/log.ts'
import { createSharedRuns } from '../../shared/kernel/queue.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'
import type { ReadChangedZones } from './zone-reader.ts'

/** Passes zones and their changes to the game. It uses events, and also polls in case one was lost. */
export type ZoneWatch = {
  /** Reads the latest changes. They apply from the next tick. Never rejects. */
  check(): Promise<void>
  /** Polls at the interval until `close`. Resolves when events arrive as well. */
  start(everyMs?: number): Promise<void>
  close(): void
}

export type ZoneWatchDeps = {
  readonly readChanged: ReadChangedZones
  readonly worldName: string
  readonly events: Pick<EventBus, 'subscribe'>
  readonly log: Log
}

const checkEveryMs = 2000

/** A watch that is inactive until it is started. If the store is unavailable, the known zones stay active. */
export const createZoneWatch = ({ readChanged, worldName, events, log }: ZoneWatchDeps): ZoneWatch => {
  const stops: (() => void)[] = []
  let isFailing = false
  let isClosed = false

  const check = createSharedRuns(async () => {
    try {
      await readChanged()
      if (isFailing) log.info({}, 'zones are read again')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'zones cannot be read; the known zones stay active; retrying')
      isFailing = true
    }
  })

  return {
    check,
    start: async (everyMs = checkEveryMs) => {
      stops.push(repeat(check, everyMs))
      const stop = await events.subscribe('zones-changed', ({ world }) => (world === worldName ? check() : undefined))
      stops.push(stop)
      if (isClosed) stop()
    },
    close: () => {
      isClosed = true
      for (const stop of stops.splice(0)) stop()
    },
  }
}
