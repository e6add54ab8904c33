import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useEvery, useLoad } from '../state/load.ts'
import { words } from '../words.ts'
import { Loading } from './loading.tsx'

type Asked<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined }

type Props<T> = {
  readonly ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Asked<T>>
  /** When one changes, the list begins again. */
  readonly keys: readonly unknown[]
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
export const PagedList = <T,>({ ask, keys, everyMs, children }: Props<T>) => {
  const [pages, setPages] = useState(1)
  const list = useLoad(
    async (signal): Promise<Asked<T>> => {
      if (list.value !== undefined) await settle(signal)
      const items: T[] = []
      let cursor: string | undefined
      for (let page = 0; page < pages; page += 1) {
        const answer = await ask(cursor, signal)
        items.push(...answer.items)
        cursor = answer.nextCursor
        if (cursor === undefined) break
      }
      return { items, nextCursor: cursor }
    },
    [...keys, pages],
  )
  useEvery(everyMs, list.refresh)
  return (
    <Loading of={list}>
      {({ items, nextCursor }) => (
        <>
          {children(items, list.reload)}
          {nextCursor !== undefined && (
            <p>
              <button type="button" onClick={() => setPages(pages + 1)} disabled={list.isLoading}>
                {words.more}
              </button>
            </p>
          )}
        </>
      )}
    </Loading>
  )
}
