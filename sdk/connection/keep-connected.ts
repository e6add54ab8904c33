import { environment } from '../environment.ts'
import { GatehouseError, ProblemError, UnreachableError } from '../errors.ts'
import { protocolVersion, type ServerMessageKind } from '../protocol/frames.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Timers } from '../timers.ts'
import { decideNext, type Next, type SessionEnd } from './decide-next.ts'
import { type Link, type LinkEnd, openLink } from './link.ts'
import type { SessionState } from './session-events.ts'
import type { SocketConstructor } from './socket.ts'

/** Calls `act` when the network is back or the page is looked at again, until the answer is called; in Node, never. */
const onWakeUp = (act: () => void): (() => void) => {
  const page = environment()
  const { document } = page
  const look = () => {
    if (document?.visibilityState === 'visible') act()
  }
  page.addEventListener?.('online', act)
  document?.addEventListener('visibilitychange', look)
  return () => {
    page.removeEventListener?.('online', act)
    document?.removeEventListener('visibilitychange', look)
  }
}

/** Why there is no coming back, of what a sign-in threw; undefined where another attempt may go otherwise. */
const refusalOfSignIn = (error: unknown): SessionEnd | undefined => {
  if (error instanceof UnreachableError) return undefined
  if (error instanceof ProblemError && (error.problem.status >= 500 || error.problem.status === 429)) return undefined
  const reason = error instanceof GatehouseError ? error.type.replace(/^\/problems\//, '') : 'sign-in-failed'
  return { reason, text: error instanceof Error ? error.message : String(error) }
}

const firstMs = 250
const longestMs = 8_000

/** How long to wait after so many failures in a row: anything from nothing up to 0.25 s, doubled each time, 8 s at most (full jitter). */
const chooseWait = (failures: number, random: () => number): number =>
  random() * Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16))

type KeepConnectedOptions = {
  readonly signIn: SignIn
  readonly WebSocket: SocketConstructor
  readonly clientName: string
  readonly timers: Timers
  readonly random: () => number
  readonly onState: (state: SessionState) => void
  readonly onMessage: (message: ServerMessageKind) => void
  /** A connection on which the player was in the game is gone. */
  readonly onLost: (text: string) => void
  /** The first attempt failed, with the error that says why. */
  readonly onFirstFailure: (end: SessionEnd, error: Error | undefined) => void
}

/** The connection of a session, and the next one after it. */
type KeptConnection = {
  link(): Link | undefined
  state(): SessionState
  /** No further connection; the one that there is ends without a word. */
  end(end: SessionEnd): void
}

type Credential = 'resume-token' | 'token' | 'fresh-token'

/** A connection that lasted so long was a good one: the next waits are short again. */
const steadyMs = 10_000

/** Connects at once, and again after each lost connection, until it is ended or the server says that there is no coming back. */
export const keepConnected = (options: KeepConnectedOptions): KeptConnection => {
  const { signIn, WebSocket, clientName, timers, random, onState, onMessage, onLost, onFirstFailure } = options
  const over = new AbortController()
  let state: SessionState = { name: 'connecting' }
  let link: Link | undefined
  let url = signIn.url
  let resumeToken: string | undefined
  let failures = 0
  let wasIn = false
  let liveSince = 0
  let cancelWait = (): void => undefined

  const enter = (next: SessionState): void => {
    state = next
    onState(next)
  }
  const finish = (end: SessionEnd): void => {
    if (state.name === 'ended') return
    over.abort()
    cancelWait()
    stopWaking()
    const last = link
    link = undefined
    enter({ name: 'ended', ...end })
    last?.drop()
  }
  const fail = (end: SessionEnd, error?: Error): void => {
    if (!wasIn) onFirstFailure(end, error)
    finish(end)
  }

  const receive = (message: ServerMessageKind): void => {
    if (message.$case === 'welcome') {
      wasIn = true
      liveSince = timers.now()
      resumeToken = message.value.resumeToken
      enter({ name: 'live' })
    }
    onMessage(message)
  }
  const open = (credential: Credential, token: string): void => {
    const secret = credential === 'resume-token' && resumeToken !== undefined ? { token: '', resumeToken } : { token }
    const opened = 'resumeToken' in secret ? 'resume-token' : credential === 'resume-token' ? 'token' : credential
    // Each is good for one use.
    resumeToken = undefined
    try {
      link = openLink({
        url,
        WebSocket,
        hello: { ...secret, protocolVersion, clientName },
        timers,
        onMessage: receive,
        onEnd: (end) => leave(end, opened, 'resumeToken' in secret ? secret.resumeToken : undefined),
      })
    } catch (error) {
      fail({ reason: 'invalid-address', text: String(error) }, error instanceof Error ? error : undefined)
    }
  }
  const start = async (credential: Credential): Promise<void> => {
    enter({ name: wasIn ? 'resuming' : 'connecting' })
    try {
      const token = await (credential === 'fresh-token' ? signIn.renew({ signal: over.signal }) : signIn.token())
      if (!over.signal.aborted) open(credential, token)
    } catch (error) {
      if (over.signal.aborted) return
      const text = error instanceof Error ? error.message : String(error)
      const refusal = refusalOfSignIn(error)
      if (refusal === undefined && wasIn) waitFor(credential, 0, text)
      else fail(refusal ?? { reason: 'unreachable', text }, error instanceof Error ? error : undefined)
    }
  }
  const waitFor = (credential: Credential, atLeastMs: number, text: string): void => {
    const ms = Math.max(atLeastMs, chooseWait(failures, random))
    failures += 1
    const go = () => {
      cancelWait()
      next = () => undefined
      void start(credential)
    }
    cancelWait = timers.after(ms, go)
    // A time that the server asked for is kept; our own is cut short.
    next = atLeastMs === 0 ? go : () => undefined
    // Last, since whoever hears of it may end everything.
    enter({ name: 'waiting', retryAt: timers.now() + ms, text })
  }
  const goOn = (decided: Exclude<Next, { over: unknown }>, wasLive: boolean): void => {
    // Where nobody let the player in, the address that the player named is the better one.
    url = decided.url ?? (wasLive ? url : signIn.url)
    if (decided.with !== 'resume-token') void start(decided.with)
    else if (decided.url === undefined) waitFor('resume-token', decided.atLeastMs, decided.text)
    else {
      cancelWait = timers.after(decided.atLeastMs, () => void start('resume-token'))
      enter({ name: 'waiting', retryAt: timers.now() + decided.atLeastMs, text: decided.text })
    }
  }
  let next = (): void => undefined
  const stopWaking = onWakeUp(() => next())

  const leave = (end: LinkEnd, opened: Credential, spent: string | undefined): void => {
    link = undefined
    if (state.name === 'ended') return
    const wasLive = state.name === 'live'
    if (wasLive && timers.now() - liveSince >= steadyMs) failures = 0
    const decided = decideNext(end, url, opened)
    onLost('over' in decided ? decided.over.text : decided.text)
    if ('over' in decided) fail(decided.over, end.error)
    else if (!wasIn && decided.with !== 'fresh-token')
      fail({ reason: end.kick?.code || 'unreachable', text: decided.text }, end.error)
    else {
      // One that the server may never have seen is tried again.
      if (decided.with === 'resume-token') resumeToken ??= spent
      goOn(decided, wasLive)
    }
  }

  void start('token')
  return { link: () => link, state: () => state, end: finish }
}
