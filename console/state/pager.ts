/** The query of a list route. */
export type PageQuery = { readonly limit: number; readonly cursor?: string }

export type Asked<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined }

export type AskPage<T> = (page: PageQuery, signal: AbortSignal) => Promise<Asked<T>>

/** The most items in an answer. */
const mostAtOnce = 200

/**
 * Reads a list page by page, `size` items each. Refreshing the shown items takes as few requests as possible. An item with the same
 * content as before stays the same object, so that its row does not render again.
 */
export const createPager = <T>(size: number) => {
  let of: readonly unknown[] = []
  let list: Asked<T> | undefined
  let wanted = 0
  let isMore = false
  /** The items of the last answer by their content. */
  let byContent: ReadonlyMap<string, T> = new Map()
  return {
    /** Requests the page after the shown items. */
    more: (): void => {
      wanted = (list?.items.length ?? 0) + size
      isMore = true
    },
    /** Requests every page, for sorting and filters. */
    all: (): void => {
      if (list !== undefined && list.nextCursor === undefined) return
      wanted = Number.MAX_SAFE_INTEGER
    },
    /** Refreshes the shown items or loads more. Starts over if `keys` changed. */
    ask: async (ask: AskPage<T>, keys: readonly unknown[], signal: AbortSignal): Promise<Asked<T>> => {
      if (keys.length !== of.length || keys.some((key, index) => key !== of[index])) {
        of = keys
        list = undefined
        wanted = 0
        isMore = false
      }
      const had = isMore && list?.nextCursor !== undefined ? list : undefined
      // An aborted request leaves the work to the one that replaced it.
      isMore = false
      const items = [...(had?.items ?? [])]
      const next = new Map(had === undefined ? [] : byContent)
      let cursor = had?.nextCursor
      do {
        const pages = Math.max(1, Math.min(mostAtOnce, Math.ceil((wanted - items.length) / size)))
        const query = { limit: Math.min(mostAtOnce, pages * size), ...(cursor !== undefined && { cursor }) }
        const answer = await ask(query, signal)
        for (const item of answer.items) {
          const content = JSON.stringify(item)
          const same = byContent.get(content) ?? item
          next.set(content, same)
          items.push(same)
        }
        cursor = answer.nextCursor
      } while (had === undefined && cursor !== undefined && items.length < wanted)
      signal.throwIfAborted()
      wanted = items.length
      byContent = next
      list = { items, nextCursor: cursor }
      return list
    },
  }
}
