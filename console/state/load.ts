import { useEffect, useRef, useState } from 'preact/hooks'
import { connection } from './api.ts'
import { session } from './session.ts'

/** Something that the server was asked for. What it answered last stays while it is asked again. */
export type Loaded<T> = {
  readonly value: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
  /** As `reload`, but lets a question that is under way come to its answer. */
  refresh(): void
}

/**
 * Asks when the page is shown, when `keys` change, when the server is back and when somebody signed in again. An answer that comes after
 * a later question is passed over.
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
  const reload = () => setTurn((last) => last + 1)
  const refresh = () => {
    if (!state.isLoading) reload()
  }
  return { ...state, reload, refresh }
}

/** Asks again every so often while the page is looked at; never where it is not said how often. */
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
