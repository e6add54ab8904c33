import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useEvery, useLoad } from '../state/load.ts'
import { type AskPage, createPager } from '../state/pager.ts'
import { words } from '../words.ts'
import { Loading } from './loading.tsx'

type Props<T> = {
  readonly ask: AskPage<T>
  /** How many come at a time. */
  readonly size?: number
  /** When one changes, the list begins again. */
  readonly keys: readonly unknown[]
  /** When it changes, what is shown is asked for again. */
  readonly turn?: number
  /** How often it is asked for again, in milliseconds. */
  readonly everyMs?: number
  readonly children: (items: readonly T[], reload: () => void) => ComponentChildren
}

const settleMs = 200

const settle = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, settleMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** A list that comes page by page, the next at the push of a button. Filters that are typed are asked for when the typing rests. */
export const PagedList = <T,>({ ask, size = 50, keys, turn, everyMs, children }: Props<T>) => {
  const [pager] = useState(() => createPager<T>(size))
  const list = useLoad(
    async (signal) => {
      if (list.value !== undefined) await settle(signal)
      return pager.ask(ask, keys, signal)
    },
    [...keys, turn],
  )
  const more = () => {
    pager.more()
    list.reload()
  }
  useEvery(everyMs, list.refresh)
  return (
    <Loading of={list}>
      {({ items, nextCursor }) => (
        <>
          {children(items, list.reload)}
          {nextCursor !== undefined && (
            <p>
              <button type="button" onClick={more} disabled={list.isLoading}>
                {words.more}
              </button>
            </p>
          )}
        </>
      )}
    </Loading>
  )
}
