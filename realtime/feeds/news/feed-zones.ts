import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import { markZone } from '../../../shared/domain/zones/list-zones.ts'
import { type Zone, zoneRecords } from '../../../shared/domain/zones/zone.ts'
import { zoneCounts } from '../../../shared/domain/zones/zone-counts.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createKeyedQueue } from '../../../shared/kernel/queue.ts'
import { repeat } from '../../../shared/kernel/repeat.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import type { Store, Version } from '../../../shared/platform/storage/store.ts'
import type { ZoneFeeds } from '../zone-feeds.ts'

/** Updates the feeds when zones of any world change. It uses events, and also polls in case one was lost. */
export type FeedZones = {
  /** Reads the zone now. Never rejects. */
  refresh(id: string): Promise<void>
  /** Reads the zones of worlds in which a zone has changed since the last call. Never rejects. */
  check(): Promise<void>
  /** Polls at the interval until `close`. Resolves when events arrive as well. */
  start(everyMs?: number): Promise<void>
  close(): void
}

export type FeedZonesDeps = {
  readonly store: Pick<Store, 'get'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly feeds: Pick<ZoneFeeds, 'zones' | 'zoneRead' | 'onOpened'>
  readonly log: Log
}

const checkEveryMs = 2000

export const createFeedZones = ({ store, accountStore, events, feeds, log }: FeedZonesDeps): FeedZones => {
  const stops: (() => void)[] = []
  const guards = new Map<string, Version | undefined>()
  /** Reads of one zone must not overtake each other. */
  const inTurn = createKeyedQueue()

  const read = async (id: string): Promise<void> => {
    const zone = (await store.get(zoneRecords, id))?.value
    feeds.zoneRead(id, zone && (await markZone(accountStore, zone)))
  }

  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, 'zones cannot be read; their feeds continue')
    }
  }

  const checkWorld = async (world: string, known: readonly Zone[]): Promise<void> => {
    const version = (await store.get(zoneCounts, world))?.version
    if (guards.has(world) && guards.get(world) === version) return
    let failure: { readonly error: unknown } | undefined
    for (const { id } of known)
      await inTurn(id, () => read(id)).catch((error: unknown) => {
        failure ??= { error }
      })
    // A faulty zone must not prevent reads of others. All of them are read again.
    if (failure !== undefined) throw failure.error
    guards.set(world, version)
  }

  const check = async (): Promise<void> => {
    const known = feeds.zones()
    const worlds = new Set(known.map(({ world }) => world))
    for (const world of guards.keys()) if (!worlds.has(world)) guards.delete(world)
    for (const world of worlds) {
      const own = known.filter((zone) => zone.world === world)
      await attempt(() => checkWorld(world, own))
    }
  }
  const refresh = (id: string): Promise<void> => attempt(() => inTurn(id, () => read(id)))

  /** The mark of a zone shows whether its owner exists. */
  const refreshOwned = async ({ playerId }: { readonly playerId: string }): Promise<void> => {
    for (const { id, owner } of feeds.zones()) if (owner === playerId) await refresh(id)
  }

  return {
    refresh,
    check,
    start: async (everyMs = checkEveryMs) => {
      stops.push(repeat(check, everyMs), feeds.onOpened(refresh))
      stops.push(
        await events.subscribe('account-removed', refreshOwned),
        await events.subscribe('account-changed', refreshOwned),
        await events.subscribe('zones-changed', ({ zoneId }) =>
          feeds.zones().some(({ id }) => id === zoneId) ? refresh(zoneId) : undefined,
        ),
      )
    },
    close: () => {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
