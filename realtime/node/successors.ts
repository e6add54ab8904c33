import { setTimeout as pause } from 'node:timers/promises'
import type { LiveNode } from '../../shared/domain/presence/presence.ts'
import type { Services } from '../../shared/services/wire-services.ts'

/** A world that this node ran, and the fence of its lease. */
type LeftWorld = { readonly worldName: string; readonly fence: number }

/** The node that runs a world after this one. */
export type Successors = {
  /**
   * Whether another node already runs the world or is a standby. Call it before the world is released. Never rejects: without Redis
   * there is none.
   */
  isExpected(world: LeftWorld): Promise<boolean>
  /**
   * The client address of the next node, as soon as it has the world. Undefined if no node takes it within that time. Never
   * rejects.
   */
  find(world: LeftWorld, withinMs: number): Promise<string | undefined>
  close(): void
}

export type SuccessorsDeps = Pick<Services, 'presence' | 'events' | 'clock' | 'log'> & { readonly nodeId: string }

const lookEveryMs = 25
/** In case the event was lost. */
const askEveryMs = 500

/** Listens for nodes that take worlds, from now on. */
export const createSuccessors = ({ presence, events, clock, log, nodeId }: SuccessorsDeps): Successors => {
  const urls = new Map<string, string>()
  let stop = () => {}
  let isClosed = false
  events
    .subscribe('world-taken', ({ world, nodeId: taker, url }) => {
      if (taker !== nodeId) urls.set(world, url)
    })
    .then((end) => {
      stop = end
      if (isClosed) end()
    })
    .catch((error: unknown) => log.debug({ err: error }, 'no events for taken worlds; polling instead'))

  const listOthers = async () => {
    try {
      return (await presence.listNodes()).filter((node) => node.nodeId !== nodeId)
    } catch (error) {
      log.warn({ err: error }, 'the nodes cannot be listed')
      return []
    }
  }
  /** A node with a lower fence ran it earlier. It may be listed for some seconds after it died. */
  const runsAfter =
    ({ worldName, fence }: LeftWorld) =>
    (node: LiveNode): boolean =>
      node.world === worldName && node.state === 'ready' && node.fence > fence

  return {
    isExpected: async (world) => {
      urls.delete(world.worldName)
      return (await listOthers()).some((node) => node.state === 'standby' || runsAfter(world)(node))
    },
    find: async (world, withinMs) => {
      const startedMs = clock.monotonic()
      let askAtMs = startedMs
      for (;;) {
        const nowMs = clock.monotonic()
        const isDue = nowMs >= askAtMs
        if (isDue) askAtMs = nowMs + askEveryMs
        const known = urls.get(world.worldName)
        const url = known ?? (isDue ? (await listOthers()).find(runsAfter(world))?.url : undefined)
        if (url !== undefined || nowMs >= startedMs + withinMs) return url
        await pause(lookEveryMs)
      }
    },
    close: () => {
      isClosed = true
      stop()
    },
  }
}
