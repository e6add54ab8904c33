import { ConnectionLostError, GatehouseError, SessionEndedError } from '../errors.ts'
import { createEventEmitter, type EventSource } from '../events/event-source.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/frames.ts'
import type { Position, Welcome } from '../protocol/generated/gatehouse.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { createFirstAttempt } from './first-attempt.ts'
import { createGameLinks } from './game-links.ts'
import { keepConnected } from './keep-connected.ts'
import { createRequests, type Requests } from './requests.ts'
import type { SessionEvents, SessionState } from './session-events.ts'
import { findSocketConstructor } from './socket.ts'

/** What `connect` may be told; all of it can be left out, but `WebSocket` in Node 20. */
export type ConnectOptions = {
  /** That of `ws`, in Node 20; a browser and Node 22 have their own. */
  readonly WebSocket?: unknown
  /**
   * The world to play in, where several nodes run one each: `GET /api/realtime/nodes` lists them. Unless said, the one that the address
   * stands for. To change worlds, close the session and connect again.
   */
  readonly world?: string
  /** For the server's log, up to 64 characters. */
  readonly clientName?: string
  /** Gives up waiting for Welcome. */
  readonly signal?: AbortSignal
  readonly timers?: Timers
  readonly random?: () => number
}

/** A player in the game, over however many connections it takes. */
export type Session = EventSource<SessionEvents> &
  Requests & {
    state(): SessionState
    /** The last one. */
    welcome(): Welcome
    /** Where the player is as far as this side knows: the last of Welcome, own moves and corrections. */
    position(): Position
    /** Asks for a place, the rest as it is. Answers the number that a Correction would bear; undefined, and nothing done, while there is no connection. */
    move(to: Partial<Position>): number | undefined
    /** Any other message, as it is; false, and nothing done, while there is no connection. */
    send(message: ClientMessageKind): boolean
    /** Leaves cleanly, and resolves once the server has heard it or is gone. The session cannot be resumed. */
    close(): Promise<void>
    /** Ends the connection without a word, as a lost network does; the session comes back by itself. */
    drop(): void
  }

const names = { chatMessage: 'chat', error: 'refused' } as const
/** A world's name, or none; throws GatehouseError `invalid-world` for what no server takes as one. */
const checkWorldName = (world: string | undefined): string | undefined => {
  if (world === undefined || /^[\w-]{1,64}$/.test(world)) return world
  throw new GatehouseError('invalid-world', `"${world}" is no name of a world: it has 1 to 64 letters, digits, _ or -.`)
}

/** How long a clean leave waits for the server. */
const leaveMs = 3_000

/**
 * Connects and resolves after Welcome. What arrives at once after it is held until the code that awaits this has run, so that nothing is
 * missed. Rejects with SessionEndedError where the server refuses, UnreachableError, NotGatehouseError, or the signal's reason.
 */
export const connect = async (
  signIn: Pick<SignIn, 'url' | 'token' | 'renew'>,
  options: ConnectOptions = {},
): Promise<Session> => {
  if (typeof signIn?.token !== 'function')
    throw new GatehouseError('no-sign-in', 'connect takes what signIn resolves with: await signIn(…) first.')
  const { world, clientName = 'gatehouse-client', timers = systemTimers, random = Math.random, signal } = options
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
  const requests = createRequests(send)

  const tell = (message: ServerMessageKind): void => {
    const { $case, value } = message
    if ($case === 'correction') position = value.position ?? position
    requests.receive(message)
    if ($case === 'editResult' || $case === 'commandResult' || $case === 'pong') return
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
        requests.rejectAll(new ConnectionLostError(state.text))
      }
      emitter.emit('state', state)
      if (state.name === 'ended') emitter.end()
    },
    onLost: (text) => requests.rejectAll(new ConnectionLostError(`${text} Whether it was done is not known.`)),
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
      if (!send({ $case: 'move', value: { seq, ...wanted } })) return undefined
      position = wanted
      return seq
    },
    send,
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

  await first.wait(signal, () => kept.end({ reason: 'aborted', text: 'It was given up.' }))
  return session
}
