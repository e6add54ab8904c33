import type { Clock } from '../../kernel/clock.ts'
import { leaseLost } from '../worlds/store/chunk-store-rules.ts'
import type { KeptSession, SessionStore } from './session-store.ts'

type World = { fence: number; owner: object; sessions: Map<string, KeptSession>; endsAtMs: number }

/** Sessions for a server of one process. They outlive a node and end with the process. */
export const createMemorySessionStore = ({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): SessionStore => {
  const worlds = new Map<string, World>()
  return {
    openWorld: (worldId, fence) => {
      const owner = {}
      const enter = (): World => {
        const existing = worlds.get(worldId)
        if (existing !== undefined && existing.fence > fence) throw leaseLost()
        const isOver = existing === undefined || existing.endsAtMs <= clock.monotonic()
        const world = isOver ? { fence, owner: {}, sessions: new Map(), endsAtMs: Number.POSITIVE_INFINITY } : existing
        world.fence = fence
        worlds.set(worldId, world)
        return world
      }
      const keep = (world: World, kept: Iterable<KeptSession>, ttlMs: number): void => {
        for (const session of kept) world.sessions.set(session.playerId, session)
        world.endsAtMs = clock.monotonic() + ttlMs
      }
      return {
        take: async () => [...enter().sessions.values()],
        write: async ({ kept, ended }, ttlMs) => {
          const world = enter()
          for (const playerId of ended) world.sessions.delete(playerId)
          keep(world, kept, ttlMs)
          return world.owner === owner
        },
        writeAll: async (sessions, ttlMs) => {
          const world = enter()
          world.owner = owner
          world.sessions.clear()
          keep(world, sessions, ttlMs)
        },
      }
    },
    close: async () => undefined,
  }
}
