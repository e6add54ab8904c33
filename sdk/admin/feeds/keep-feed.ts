import { createFirstAttempt } from '../../connection/first-attempt.ts'
import { keepConnected } from '../../connection/keep-connected.ts'
import { createEndedError, createLostError, createNotConnectedError } from '../../connection/next.ts'
import type { SessionState } from '../../connection/session-events.ts'
import { findSocketConstructor } from '../../connection/socket.ts'
import { SessionEndedError } from '../../errors.ts'
import { createEventEmitter, type EventSource } from '../../events/event-source.ts'
import { systemTimers } from '../../timers.ts'
import type { FeedLink, FeedMessage } from './feed-link.ts'
import { type FeedCaller, type FeedKind, type FeedOptions, type FeedStateEvents, openFeed } from './open-feed.ts'
import { createSeqTracker } from './seq-tracker.ts'

/** A feed that continues over any number of connections. */
export type KeptFeed<E> = EventSource<E> & {
  state(): SessionState
  /** Returns false and sends nothing while there is no connection. */
  send(message: object): boolean
  /** The same for a request: throws NotSentError, or SessionEndedError once the feed has ended. */
  request(message: object): void
  close(): void
  drop(): void
}

/**
 * Opens a feed and resolves once it has begun. Holds messages that arrive directly after, until the awaiting code has run.
 * Rejects with ProblemError if the server refuses, UnreachableError, NotGatehouseError, or the signal's reason.
 */
export const keepFeed = async <E extends FeedStateEvents>(
  caller: FeedCaller,
  kind: FeedKind,
  options: FeedOptions,
): Promise<KeptFeed<E>> => {
  const { timers = systemTimers, random = Math.random, signal } = options
  const WebSocket = findSocketConstructor(options.WebSocket)
  const emitter = createEventEmitter<E>()
  const over = new AbortController()
  const seqs = kind.seqs ?? createSeqTracker()
  const first = createFirstAttempt()
  let held: (() => void)[] | undefined
  let link: FeedLink | undefined

  // The types of messages are generated from their declarations on the server.
  const emit = (name: string, event: unknown): void => {
    const act = () => emitter.emit(name as keyof E, event as never)
    if (held === undefined) act()
    else held.push(act)
  }
  const release = (): void => {
    const waiting = held ?? []
    held = undefined
    for (const act of waiting) act()
  }
  const tell = (message: FeedMessage): void => {
    if (kind.events.includes(message.type) || message.type === 'renewed') emit(message.type, message)
    else if (message.type === 'error' && !('ref' in message)) emit('refused', message)
  }
  const begin = (): void => {
    if (!first.isAwaited()) return
    held = []
    first.came()
    setTimeout(release)
  }

  const kept = keepConnected({
    signIn: caller,
    timers,
    random,
    open: (attempt, report) => {
      const common = { caller, kind, WebSocket, timers, seqs, over: over.signal }
      const opened = openFeed({ ...common, onBegin: begin, onMessage: tell, onOver: (end) => kept.end(end) }, attempt, report)
      link = opened
      return opened
    },
    onState: (state) => {
      if (state.name === 'ended') {
        over.abort()
        stopRenewing()
        release()
        kind.onLost(createLostError(state))
      }
      emit('state', state)
      if (state.name === 'ended') emitter.end()
    },
    onLost: (end) => kind.onLost(createLostError(end)),
    onFirstFailure: (end, error) => first.failed(error ?? new SessionEndedError(end.reason, end.text)),
  })
  const send = (message: object): boolean => {
    if (link === undefined || kept.state().name !== 'live') return false
    link.send(message)
    return true
  }
  const stopRenewing = caller.onRenewed((token) => void send({ type: 'renew', token }))

  await first.wait(signal, () => kept.end({ reason: 'aborted', text: 'Canceled.' }))
  return {
    on: emitter.on,
    events: emitter.events,
    state: kept.state,
    send,
    request: (message) => {
      const state = kept.state()
      if (state.name === 'ended') throw createEndedError(state)
      if (!send(message)) throw createNotConnectedError()
    },
    close: () => kept.end({ reason: 'left', text: 'The feed was closed.' }),
    drop: () => link?.drop(),
  }
}
