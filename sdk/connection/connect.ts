import { GatehouseError, SessionEndedError } from '../errors.ts'
import { createEventEmitter, type EventSource } from '../events/event-source.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/frames.ts'
import type { Position, Welcome } from '../protocol/generated/gatehouse.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { createFirstAttempt } from './first-attempt.ts'
import { createGameLinks } from './game-links.ts'
import { keepConnected } from './keep-connected.ts'
import { createEndedError, createLostError, createNotConnectedError } from './next.ts'
import { createRequests, type Requests } from './requests.ts'
import type { SessionEvents, SessionState } from './session-events.ts'
import { findSocketConstructor } from './socket.ts'

/** Options of `connect`. All are optional, except `WebSocket` in Node 20. */
export type ConnectOptions = {
  /** The one of `ws`, in Node 20. Browsers and Node 22 have their own. */
  readonly WebSocket?: unknown
  /**
   * The world to play in, if several nodes run one each: `GET /api/realtime/nodes` lists them. By default the world of the
   * address. To change worlds, close the session and connect again.
   */
  readonly world?: string
  /**
   * How far the player sees, in chunks. 0 is for programs that need no world, such as chat bots: the server then sends no columns
   * and no players. The server limits it to `Welcome.viewRadiusMax`. By default the server decides.
   */
  readonly viewRadius?: number
  /** For the server's log, up to 64 characters. */
  readonly clientName?: string
  /** Stops waiting for Welcome. */
  readonly signal?: AbortSignal
  readonly timers?: Timers
  readonly random?: () => number
}

/** A player in the game, over any number of connections. */
export type Session = EventSource<SessionEvents> &
  Requests & {
    state(): SessionState
    /** The latest Welcome. */
    welcome(): Welcome
    /** The position of the player on this side: the latest of Welcome, own moves and corrections. */
    position(): Position
    /**
     * Requests a move; omitted members do not change. Returns the number that a Correction would have. Returns undefined and
     * sends nothing while there is no connection.
     */
    move(to: Partial<Position>): number | undefined
    /**
     * Sends any other message at once and unchanged. Returns false and sends nothing while there is no connection.
     */
    send(message: ClientMessageKind): boolean
    /** Leaves cleanly, and resolves once the server has received it or is gone. The session cannot be resumed. */
    close(): Promise<void>
    /** Drops the connection like a lost network. The session reconnects by itself. */
    drop(): void
  }

const names = { chatMessage: 'chat', error: 'refused' } as const
/** The name of a world, if any. Throws GatehouseError `invalid-world` for an invalid name. */
const checkWorldName = (world: string | undefined): string | undefined => {
  if (world === undefined || /^[\w-]{1,64}$/.test(world)) return world
  throw new GatehouseError('invalid-world', `"${world}" is not the name of a world. Use 1 to 64 letters, digits, _ or -.`)
}

/** Throws GatehouseError `invalid-view-radius` for anything but a whole number of chunks. */
const checkViewRadius = (chunks: number | undefined): number | undefined => {
  if (chunks === undefined || chunks >>> 0 === chunks) return chunks
  throw new GatehouseError('invalid-view-radius', 'viewRadius must be a whole number.')
}

/** How long a clean leave waits for the server. */
const leaveMs = 3_000

/**
 * Connects and resolves after Welcome. Holds messages that arrive directly after, until the awaiting code has run, so that
 * nothing is missed. Rejects with SessionEndedError if the server refuses, UnreachableError, NotGatehouseError, or the signal's
 * reason.
 */
export const connect = async (
  signIn: Pick<SignIn, 'url' | 'token' | 'renew'>,
  options: ConnectOptions = {},
): Promise<Session> => {
  if (typeof signIn?.token !== 'function')
    throw new GatehouseError('no-sign-in', 'connect needs the result of signIn. Await signIn(…) first.')
  const { world, clientName = 'gatehouse-client', timers = systemTimers, random = Math.random, signal } = options
  const viewRadius = checkViewRadius(options.viewRadius)
  const WebSocket = findSocketConstructor(options.WebSocket)
  const emitter = createEventEmitter<SessionEvents>()
  let held: ServerMessageKind[] | undefined
  let welcome: Welcome | undefined
  let position: Position = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }
  const first = createFirstAttempt()

  const send = (message: ClientMessageKind): boolean => {
    const link = links.link()
    if (link === undefined || kept.state().name !== 'live') return false
    link.send(message)
    return true
  }
  const checkOpen = (): void => {
    const state = kept.state()
    if (state.name === 'ended') throw createEndedError(state)
    if (state.name !== 'live') throw createNotConnectedError()
  }
  const requests = createRequests({ checkOpen, send, timers })
  const sendCounted = (message: ClientMessageKind): boolean => {
    const isSent = send(message)
    if (isSent) requests.count(message)
    return isSent
  }

  const tell = (message: ServerMessageKind): void => {
    const { $case, value } = message
    if ($case === 'correction') position = value.position ?? position
    requests.receive(message)
    if ($case === 'editResult' || $case === 'commandResult' || $case === 'moduleReply' || $case === 'pong') return
    emitter.emit($case === 'chatMessage' || $case === 'error' ? names[$case] : $case, value as never)
  }
  const release = (): void => {
    const waiting = held ?? []
    held = undefined
    for (const message of waiting) tell(message)
  }
  const receive = (message: ServerMessageKind): void => {
    if (message.$case === 'welcome') {
      const isFirst = welcome === undefined
      welcome = message.value
      position = welcome.position ?? position
      requests.begin(welcome.limits)
      if (viewRadius !== undefined && viewRadius !== welcome.viewRadius)
        sendCounted({ $case: 'viewRadius', value: { chunks: viewRadius } })
      if (isFirst) {
        held = []
        first.came()
        setTimeout(release)
        return
      }
      tell(message)
      emitter.emit('resumed', message.value)
    } else if (held !== undefined) held.push(message)
    else tell(message)
  }

  const links = createGameLinks({
    url: signIn.url,
    world: checkWorldName(world),
    WebSocket,
    clientName,
    timers,
    onMessage: receive,
  })
  const kept = keepConnected({
    signIn,
    timers,
    random,
    open: links.open,
    onState: (state) => {
      if (state.name === 'ended') {
        if (held !== undefined) release()
        requests.rejectAll(createLostError(state), createEndedError(state))
      }
      emitter.emit('state', state)
      if (state.name === 'ended') emitter.end()
    },
    onLost: (end, isOver) => requests.rejectAll(createLostError(end), isOver ? createEndedError(end) : createNotConnectedError()),
    onFirstFailure: (end, error) => first.failed(error ?? new SessionEndedError(end.reason, end.text)),
  })

  const session: Session = {
    ...requests,
    on: emitter.on,
    events: emitter.events,
    state: kept.state,
    welcome: () => {
      if (welcome === undefined) throw new SessionEndedError('not-welcome', 'There was no Welcome.')
      return welcome
    },
    position: () => position,
    move: (to) => {
      const wanted = { ...position, ...to }
      const seq = requests.nextSeq()
      if (!sendCounted({ $case: 'move', value: { seq, ...wanted } })) return undefined
      position = wanted
      return seq
    },
    send: sendCounted,
    close: async () => {
      const left = { reason: 'left', text: 'The session was left.' }
      if (send({ $case: 'disconnect', value: {} }))
        await new Promise<void>((resolve) => {
          const stop = timers.after(leaveMs, resolve)
          emitter.on('state', () => {
            stop()
            resolve()
          })
        })
      kept.end(left)
    },
    drop: () => links.link()?.drop(),
  }

  await first.wait(signal, () => kept.end({ reason: 'aborted', text: 'Canceled.' }))
  return session
}
