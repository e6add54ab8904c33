import { type ConnectOptions, connect, type Session } from '../../../sdk/connection/connect.ts'
import { type SignIn, signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import type { Timers } from '../../../sdk/timers.ts'

/** Timers that advance only on request. */
export const createHeldTimers = () => {
  let nowMs = 1_000_000
  let waiting: { readonly atMs: number; readonly act: () => void }[] = []
  const after: Timers['after'] = (ms, act) => {
    const timer = { atMs: nowMs + ms, act }
    waiting.push(timer)
    return () => {
      waiting = waiting.filter((other) => other !== timer)
    }
  }
  return {
    timers: { now: () => nowMs, after, background: after } satisfies Timers,
    /** The remaining times of all waits, the soonest first. */
    waits: () => waiting.map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
    advance: (ms: number): void => {
      const until = nowMs + ms
      for (;;) {
        const [due] = waiting.filter(({ atMs }) => atMs <= until).sort((a, b) => a.atMs - b.atMs)
        if (due === undefined) break
        waiting = waiting.filter((other) => other !== due)
        nowMs = Math.max(nowMs, due.atMs)
        due.act()
      }
      nowMs = until
    },
  }
}

/** Resolves when the session is in that state. */
export const reach = async (session: Session, name: ReturnType<Session['state']>['name']) => {
  if (session.state().name === name) return session.state()
  return new Promise<ReturnType<Session['state']>>((resolve) => {
    const end = session.on('state', (state) => {
      if (state.name !== name) return
      end()
      resolve(state)
    })
  })
}

/** A fake server with players on it; everything is closed by `close`. */
export const createFakeGame = (options: { readonly password?: string; readonly random?: () => number } = {}) => {
  const server = createFakeServer(options)
  const held = createHeldTimers()
  const open: { session?: Session; signIn: SignIn }[] = []
  const enter = async (email = 'ann@example.com', more: ConnectOptions = {}): Promise<Session> => {
    const who = await signIn({
      url: server.url,
      email,
      password: options.password ?? '',
      fetch: server.fetch,
      timers: held.timers,
    })
    const one: (typeof open)[number] = { signIn: who }
    open.push(one)
    one.session = await connect(who, {
      WebSocket: server.WebSocket,
      timers: held.timers,
      random: options.random ?? (() => 0.5),
      ...more,
    })
    return one.session
  }
  const close = async (): Promise<void> => {
    server.setAway(true)
    server.cut()
    for (const { session, signIn: who } of open) {
      await session?.close()
      who.close()
    }
  }
  return { server, held, enter, close, signIns: open }
}
