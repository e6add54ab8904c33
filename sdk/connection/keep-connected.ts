import { environment } from '../environment.ts'
import { GatehouseError } from '../errors.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Timers } from '../timers.ts'
import { isPassing, type Next, retryAfterMsOf, type SessionEnd, toSessionEnd, waitBefore } from './next.ts'
import type { SessionState } from './session-events.ts'

/** Calls `act` when the network returns or the page becomes visible, until the returned function is called. Never in Node. */
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

const firstMs = 250
const longestMs = 8_000

/** The wait after this many failures in a row: random between 0 and 0.25 s, doubled each time, at most 8 s (full jitter). */
const chooseWait = (failures: number, random: () => number): number =>
  random() * Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16))

/** The credential of a connection attempt. */
export type Attempt = {
  readonly token: string
  /** The token was created for this attempt: if the server refuses it, another one will not help. */
  readonly isFresh: boolean
}

/** Reports of a connection. */
export type Report = {
  live(): void
  /** Called once. A first attempt fails with the error. */
  lost(next: Next, error?: Error): void
}

export type KeepConnectedOptions = {
  readonly signIn: Pick<SignIn, 'token' | 'renew'>
  readonly timers: Timers
  readonly random: () => number
  /** Opens a connection. There is no other at the same time. */
  readonly open: (attempt: Attempt, report: Report) => { drop(): void }
  readonly onState: (state: SessionState) => void
  /** A connection was lost. `isOver`: for good. */
  readonly onLost: (end: SessionEnd, isOver: boolean) => void
  /** The first attempt failed, with the error as its reason. */
  readonly onFirstFailure: (end: SessionEnd, error: Error | undefined) => void
}

/** A connection that is replaced when it is lost. */
type KeptConnection = {
  state(): SessionState
  /** Stops reconnecting, and drops the current connection. */
  end(end: SessionEnd): void
}

/** A connection that lasted this long was good: the next waits are short again. */
const steadyMs = 10_000

/** Connects at once, and again after each lost connection, until it is ended or the end is final. */
export const keepConnected = (options: KeepConnectedOptions): KeptConnection => {
  const { signIn, timers, random, onState, onLost, onFirstFailure } = options
  const over = new AbortController()
  let state: SessionState = { name: 'connecting' }
  let link: { drop(): void } | undefined
  let failures = 0
  let wasIn = false
  let liveSince = 0
  let cancelWait = (): void => undefined
  let wake = (): void => undefined

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

  const open = (attempt: Attempt): void => {
    try {
      link = options.open(attempt, {
        live: () => {
          wasIn = true
          liveSince = timers.now()
          enter({ name: 'live' })
        },
        lost: leave,
      })
    } catch (error) {
      const text = `The address cannot be opened: ${error}`
      fail({ reason: 'invalid-address', text }, new GatehouseError('invalid-address', text, { cause: error }))
    }
  }
  const start = async (isFresh: boolean): Promise<void> => {
    enter({ name: wasIn ? 'resuming' : 'connecting' })
    try {
      const token = await (isFresh ? signIn.renew({ signal: over.signal }) : signIn.token())
      if (!over.signal.aborted) open({ token, isFresh })
    } catch (error) {
      if (over.signal.aborted) return
      const end = toSessionEnd(error)
      if (isPassing(error) && wasIn) goOn({ ...waitBefore(end, retryAfterMsOf(error)), token: 'fresh' })
      else fail(end, error instanceof Error ? error : undefined)
    }
  }
  const goOn = ({ token, wait, atLeastMs, text }: Exclude<Next, { over: unknown }>): void => {
    if (wait === 'none') return void start(token === 'fresh')
    const ms = wait === 'exact' ? atLeastMs : Math.max(atLeastMs, chooseWait(failures, random))
    if (wait === 'jitter') failures += 1
    const go = () => {
      cancelWait()
      wake = () => undefined
      void start(token === 'fresh')
    }
    cancelWait = timers.after(ms, go)
    // A wait that the server requested is kept. Our own can be cut short.
    wake = wait === 'jitter' && atLeastMs === 0 ? go : () => undefined
    // Last, because a listener may end everything.
    enter({ name: 'waiting', retryAt: timers.now() + ms, text })
  }
  const stopWaking = onWakeUp(() => wake())

  const leave = (next: Next, error?: Error): void => {
    link = undefined
    if (state.name === 'ended') return
    if (state.name === 'live' && timers.now() - liveSince >= steadyMs) failures = 0
    const end = 'over' in next ? next.over : next
    onLost(end, 'over' in next)
    if ('over' in next) fail(end, error)
    else if (!wasIn && next.token !== 'fresh') fail({ reason: end.reason, text: end.text }, error)
    else goOn(next)
  }

  void start(false)
  return { state: () => state, end: finish }
}
