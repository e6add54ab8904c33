import type { NodeDirectory } from '../../../shared/domain/presence/node-directory.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { repeat } from '../../../shared/kernel/repeat.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import { feedClosings } from '../door/feed-closing.ts'
import type { ZoneFeeds } from '../zone-feeds.ts'

/** Closes feeds of zones whose world runs on another node now. Their clients reconnect to that node. */
export type FeedHomes = {
  /** Checks now. Never rejects. */
  check(): Promise<void>
  /** Checks at the interval until `close`, and at once when a node takes a world. Resolves when events arrive. */
  start(everyMs?: number): Promise<void>
  close(): void
}

export type FeedHomesDeps = {
  readonly nodeId: string
  readonly nodes: Pick<NodeDirectory, 'list' | 'forget'>
  readonly feeds: Pick<ZoneFeeds, 'otherWorlds' | 'closeWorld'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly log: Log
}

const checkEveryMs = 1000

export const createFeedHomes = ({ nodeId, nodes, feeds, events, log }: FeedHomesDeps): FeedHomes => {
  const stops: (() => void)[] = []

  const check = async (): Promise<void> => {
    if (feeds.otherWorlds().size === 0) return
    try {
      for (const node of await nodes.list())
        if (node.world !== undefined && node.state === 'ready' && node.nodeId !== nodeId && feeds.otherWorlds().has(node.world))
          feeds.closeWorld(node.world, feedClosings.worldElsewhere)
    } catch (error) {
      log.debug({ err: error }, 'the nodes of the worlds of feeds are unknown at the moment')
    }
  }

  return {
    check,
    start: async (everyMs = checkEveryMs) => {
      stops.push(repeat(check, everyMs))
      stops.push(
        await events.subscribe('world-taken', () => {
          nodes.forget()
          return check()
        }),
      )
    },
    close: () => {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
