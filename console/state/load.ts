import { useEffect, useRef, useState } from 'preact/hooks'
import { connection } from './api.ts'
import { session } from './session.ts'

type State<T> = { readonly value: T | undefined; readonly error: unknown; readonly isLoading: boolean }

/** Data from the server. The last answer stays while a new one loads. */
export type Loaded<T> = State<T> & {
  reload(): void
  /** Like `reload`. Resolves once the page has the new answer or its error. */
  reloaded(): Promise<void>
  /** Like `reload`, but does not abort a request that is running. */
  refresh(): void
}

/**
 * Loads when the page is shown, when `keys` change, when the server is back, and after signing in again. Ignores an answer that a later
 * request has overtaken.
 */
export const useLoad = <T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ value: undefined, error: undefined, isLoading: true })
  const [turn, setTurn] = useState(0)
  /** The number of reloads. An effect follows a reload a moment later, and until then an earlier request can still finish. */
  const reloads = useRef(0)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    const over = new AbortController()
    const reloadsBefore = reloads.current
    const finish = (change: (last: State<T>) => State<T>): void => {
      if (over.signal.aborted || reloads.current !== reloadsBefore) return
      setState(change)
      for (const resolve of waiting.current.splice(0)) resolve()
    }
    setState((last) => ({ ...last, isLoading: true }))
    ask(over.signal).then(
      (value) => finish(() => ({ value, error: undefined, isLoading: false })),
      (error: unknown) => finish((last) => ({ ...last, error, isLoading: false })),
    )
    return () => over.abort()
  }, [...keys, turn, connection.value.healed, session.value.kind])
  const reload = () => {
    // Here and not only in the effect, so that the old answer does not look current.
    setState((last) => ({ ...last, isLoading: true }))
    reloads.current += 1
    setTurn((last) => last + 1)
  }
  const reloaded = () =>
    new Promise<void>((resolve) => {
      waiting.current.push(resolve)
      reload()
    })
  const refresh = () => {
    if (!state.isLoading) reload()
  }
  return { ...state, reload, reloaded, refresh }
}

/** Refreshes at an interval while the page is visible; never without an interval. */
export const useEvery = (milliseconds: number | undefined, act: () => void): void => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (milliseconds === undefined) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !connection.peek().isLost) latest.current()
    }, milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
}
