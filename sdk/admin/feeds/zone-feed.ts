import { createPending } from '../../connection/pending.ts'
import type { SessionState } from '../../connection/session-events.ts'
import { ConnectionLostError, NotGatehouseError, RefusedError } from '../../errors.ts'
import type { EventSource } from '../../events/event-source.ts'
import type { FeedReplies, ZoneFeedNews } from '../generated/feed-messages.ts'
import type { FeedCaller, FeedOptions, FeedStateEvents } from './feed-kind.ts'
import type { FeedMessage } from './feed-link.ts'
import { keepFeed } from './keep-feed.ts'

/** A block that is to become `type`; `air` breaks it. */
export type FeedBlock = { readonly x: number; readonly y: number; readonly z: number; readonly type: string }

/** What a feed tells of, by name. */
export type ZoneFeedEvents = ZoneFeedNews & FeedStateEvents

type EditOptions = {
  /** Leaves out the blocks that cannot be, instead of refusing all. */
  readonly partial?: boolean
  readonly signal?: AbortSignal
}

/** One zone, live: its record, every block that changes in it, and who stands in it. */
export type ZoneFeed = EventSource<ZoneFeedEvents> & {
  state(): SessionState
  /** The record as it was last told. */
  zone(): ZoneFeedNews['zone']['zone']
  /**
   * Changes up to 4,096 blocks of the zone. The answer comes once they are durable, or says why not. Rejects with RefusedError where the
   * server would not take the message, and with ConnectionLostError when the connection goes first: it is not sent again.
   */
  edit(edits: readonly FeedBlock[], options?: EditOptions): Promise<FeedReplies['result']>
  /** Nothing is left of it: no connection, timer or listener. */
  close(): void
  /** Ends the connection without a word, as a lost network does; the feed comes back by itself. */
  drop(): void
}

const events: readonly (keyof ZoneFeedNews)[] = ['zone', 'blocks', 'playerEntered', 'playerMoved', 'playerLeft', 'deleted']
const editsMax = 4_096
const messageBytesMax = 524_288

const isOf = <K extends keyof (ZoneFeedNews & FeedReplies)>(
  message: FeedMessage,
  type: K,
): message is FeedMessage & (ZoneFeedNews & FeedReplies)[K] => message.type === type

/**
 * Opens the feed of a zone and resolves with its record. It comes back by itself after a lost connection, goes on where it was, and hands
 * in each renewed token. `deleted`, a lost permission and the end of the sign-in end it.
 */
export const openZoneFeed = async (caller: FeedCaller, id: string, options: FeedOptions = {}): Promise<ZoneFeed> => {
  const results = createPending<FeedReplies['result']>()
  let zone: ZoneFeedNews['zone']['zone'] | undefined
  let refs = 0

  const feed = await keepFeed<ZoneFeedEvents>(
    caller,
    {
      path: `/api/admin/ws/instances/${encodeURIComponent(id)}`,
      probe: `/api/admin/instances/${encodeURIComponent(id)}`,
      events,
      begins: ({ type }) => type === 'zone',
      receive: (message) => {
        if (isOf(message, 'zone')) zone = message.zone
        else if (isOf(message, 'result')) results.resolve(message.ref, message)
        else if (isOf(message, 'error') && message.ref !== undefined)
          results.reject(message.ref, new RefusedError(message.code, message.message))
        return message.type === 'deleted' ? { reason: 'zone-deleted', text: 'The zone was deleted.' } : undefined
      },
      onLost: (text) => results.rejectAll(new ConnectionLostError(text)),
    },
    options,
  )

  return {
    on: feed.on,
    events: feed.events,
    state: feed.state,
    zone: () => {
      if (zone === undefined) throw new NotGatehouseError('The feed told of no zone.')
      return zone
    },
    edit: async (edits, { partial = false, signal } = {}) => {
      signal?.throwIfAborted()
      if (edits.length > editsMax) throw new RefusedError('too-many-edits', `One message changes up to ${editsMax} blocks.`)
      refs += 1
      const message = { type: 'edit', ref: refs, edits: edits.map(({ x, y, z, type }) => ({ x, y, z, type })), partial }
      // The server could not tell whose it is.
      if (new TextEncoder().encode(JSON.stringify(message)).length > messageBytesMax)
        throw new RefusedError('message-too-large', `A message has up to ${messageBytesMax} bytes; send fewer blocks.`)
      if (!feed.send(message)) throw new ConnectionLostError('There is no connection at the moment; nothing was sent.')
      return results.wait(refs, signal)
    },
    close: feed.close,
    drop: feed.drop,
  }
}
