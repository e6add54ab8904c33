/** What is asked of a list, as its routes take it. */
export type PageQuery = { readonly limit: number; readonly cursor?: string }

export type Asked<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined }

export type AskPage<T> = (page: PageQuery, signal: AbortSignal) => Promise<Asked<T>>

/** The most that a list answers at once. */
const mostAtOnce = 200

/** Asks for a list page by page, `size` items each. What is shown already is asked for again in as few requests as can be. */
export const createPager = <T>(size: number) => {
  let of: readonly unknown[] = []
  let list: Asked<T> | undefined
  let wanted = 0
  let isMore = false
  return {
    /** The next question is for the page after what is there. */
    more: (): void => {
      wanted = (list?.items.length ?? 0) + size
      isMore = true
    },
    /** Asks again for what is there, or for more; from the beginning where `keys` are others than before. */
    ask: async (ask: AskPage<T>, keys: readonly unknown[], signal: AbortSignal): Promise<Asked<T>> => {
      if (keys.length !== of.length || keys.some((key, index) => key !== of[index])) {
        of = keys
        list = undefined
        wanted = 0
        isMore = false
      }
      const had = isMore && list?.nextCursor !== undefined ? list : undefined
      // Where this one is given up for another, that asks for all of it.
      isMore = false
      const items = [...(had?.items ?? [])]
      let cursor = had?.nextCursor
      do {
        const pages = Math.max(1, Math.ceil((wanted - items.length) / size))
        const query = { limit: Math.min(mostAtOnce, pages * size), ...(cursor !== undefined && { cursor }) }
        const answer = await ask(query, signal)
        items.push(...answer.items)
        cursor = answer.nextCursor
      } while (had === undefined && cursor !== undefined && items.length < wanted)
      signal.throwIfAborted()
      wanted = items.length
      list = { items, nextCursor: cursor }
      return list
    },
  }
}
