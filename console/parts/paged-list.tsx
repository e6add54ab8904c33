import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useEvery, useLoad } from '../state/load.ts'
import { type AskPage, createPager } from '../state/pager.ts'
import { words } from '../words.ts'
import { Loading } from './loading.tsx'

type Props<T> = {
  readonly ask: AskPage<T>
  /** Items per page. */
  readonly size?: number
  /** A change restarts the list. */
  readonly keys: readonly unknown[]
  /** A change reloads the shown items. */
  readonly turn?: number
  /** Refresh interval in milliseconds. */
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

/** A list with a button for the next page. Typed filters apply when typing pauses. */
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
