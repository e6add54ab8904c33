import { createPending } from '../../connection/pending.ts'
import type { SessionState } from '../../connection/session-events.ts'
import { NotGatehouseError, NotSentError, RefusedError } from '../../errors.ts'
import type { EventSource } from '../../events/event-source.ts'
import type { FeedReplies, ZoneFeedNews } from '../generated/feed-messages.ts'
import type { FeedMessage } from './feed-link.ts'
import { keepFeed } from './keep-feed.ts'
import type { FeedCaller, FeedOptions, FeedStateEvents } from './open-feed.ts'

/** A block to change to `type`; `air` breaks it. */
export type FeedBlock = { readonly x: number; readonly y: number; readonly z: number; readonly type: string }

/** Events of the feed of a zone, by name. */
export type ZoneFeedEvents = ZoneFeedNews & FeedStateEvents

type EditOptions = {
  /** Skips blocks that cannot be changed, instead of refusing all. */
  readonly partial?: boolean
  readonly signal?: AbortSignal
}

/** One zone, live: its record, every block change, and the players in it. */
export type ZoneFeed = EventSource<ZoneFeedEvents> & {
  state(): SessionState
  /** The record, as of the last message. */
  zone(): ZoneFeedNews['zone']['zone']
  /**
   * Changes up to 4,096 blocks of the zone. Resolves once they are durable, or with the reason of a refusal. Rejects with
   * RefusedError if the server refuses the message, and with NotSentError if it cannot be sent. Rejects with ConnectionLostError
   * if the connection is lost first: the edit is not sent again. Rejects with SessionEndedError once the feed has ended.
   */
  edit(edits: readonly FeedBlock[], options?: EditOptions): Promise<FeedReplies['result']>
  /** Closes the feed with its connection, timers and listeners. */
  close(): void
  /** Drops the connection like a lost network. The feed reconnects by itself. */
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
 * Opens the feed of a zone and resolves with its record. After a lost connection it reconnects, resumes, and sends each renewed
 * token. `deleted`, a lost permission and the end of the sign-in end it.
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
      onLost: results.rejectAll,
    },
    options,
  )

  return {
    on: feed.on,
    events: feed.events,
    state: feed.state,
    zone: () => {
      if (zone === undefined) throw new NotGatehouseError('The feed sent no zone.')
      return zone
    },
    edit: async (edits, { partial = false, signal } = {}) => {
      signal?.throwIfAborted()
      if (edits.length > editsMax)
        throw new NotSentError('too-many-edits', `One message can change up to ${editsMax} blocks. Send fewer.`)
      refs += 1
      const message = { type: 'edit', ref: refs, edits: edits.map(({ x, y, z, type }) => ({ x, y, z, type })), partial }
      // The server could not assign its error to this edit.
      if (new TextEncoder().encode(JSON.stringify(message)).length > messageBytesMax)
        throw new NotSentError('message-too-large', `A message can have up to ${messageBytesMax} bytes. Send fewer blocks.`)
      feed.request(message)
      return results.wait(refs, signal)
    },
    close: feed.close,
    drop: feed.drop,
  }
}
