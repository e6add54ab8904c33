import { useEffect, useRef, useState } from 'preact/hooks'
import { connection } from './api.ts'
import { session } from './session.ts'

/** Data from the server. The last answer stays while a new one loads. */
export type Loaded<T> = {
  readonly value: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
  /** Like `reload`, but does not abort a request that is running. */
  refresh(): void
}

/**
 * Loads when the page is shown, when `keys` change, when the server is back, and after signing in again. Ignores an answer that a later
 * request has overtaken.
 */
export const useLoad = <T>(ask: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Loaded<T> => {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload' | 'refresh'>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const over = new AbortController()
    setState((last) => ({ ...last, isLoading: true }))
    ask(over.signal).then(
      (value) => {
        if (!over.signal.aborted) setState({ value, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (!over.signal.aborted) setState((last) => ({ ...last, error, isLoading: false }))
      },
    )
    return () => over.abort()
  }, [...keys, turn, connection.value.healed, session.value.kind])
  const reload = () => {
    // Here and not only in the effect, so that the old answer does not look current.
    setState((last) => ({ ...last, isLoading: true }))
    setTurn((last) => last + 1)
  }
  const refresh = () => {
    if (!state.isLoading) reload()
  }
  return { ...state, reload, refresh }
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
