import type { AskPage } from './pager.ts'

const pageMax = 200

/** The first items of a list, up to `max`, page by page. */
export const readAll = async <T>(ask: AskPage<T>, max: number): Promise<readonly T[]> => {
  const { signal } = new AbortController()
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await ask({ limit: pageMax, ...(cursor !== undefined && { cursor }) }, signal)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined && items.length < max)
  return items.slice(0, max)
}
