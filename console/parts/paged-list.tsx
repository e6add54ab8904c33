import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useEvery, useLoad } from '../state/load.ts'
import { type AskPage, createPager } from '../state/pager.ts'
import { words } from '../words/of-frame.ts'
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
  /** Whether to load every page, as a filter needs it. */
  readonly wantsAll?: boolean
  readonly children: (
    items: readonly T[],
    list: { readonly reload: () => void; readonly loadAll: () => void; readonly isWhole: boolean },
  ) => ComponentChildren
}

/** A list with a button for the next page. A change of `keys` loads at once: a `SearchField` already waits for a pause in typing. */
export const PagedList = <T,>({ ask, size = 50, keys, turn, everyMs, wantsAll = false, children }: Props<T>) => {
  const [pager] = useState(() => createPager<T>(size))
  const list = useLoad((signal) => pager.ask(ask, keys, signal), [...keys, turn])
  const more = () => {
    pager.more()
    list.reload()
  }
  const loadAll = () => {
    pager.all()
    list.reload()
  }
  const isWhole = list.value !== undefined && list.value.nextCursor === undefined
  useEffect(() => {
    if (wantsAll && list.value !== undefined && !isWhole && !list.isLoading) loadAll()
  }, [wantsAll, isWhole, list.isLoading])
  useEvery(everyMs, list.refresh)
  return (
    <Loading of={list}>
      {({ items, nextCursor }) => (
        <>
          {children(items, { reload: list.reload, loadAll: () => isWhole || loadAll(), isWhole })}
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
