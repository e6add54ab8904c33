import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { Collection, Store } from './store.ts'
import { cursorAfter } from './store-rules.ts'

const pageLimit = 200

const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')
const decodeCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (isUuid(id) && encodeCursor(id) === cursor) return id
  throw new AppError('invalid', 'bad-request', 'The cursor is not valid. Use the nextCursor of the previous page.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the previous page' }],
  })
}

type TimedQuery<T> = {
  /** The prefix of the ids, which sort by time. */
  readonly prefix: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly matches: (value: T) => boolean
}

/** A page of the matching records under `prefix`, newest first. A cursor is an id. Throws AppError `invalid` for an invalid cursor. */
export const listByTime = async <T extends { readonly id: string }>(
  store: Pick<Store, 'list'>,
  collection: Collection<T>,
  { prefix, limit, cursor, matches }: TimedQuery<T>,
): Promise<{ readonly found: readonly T[]; readonly nextCursor?: string }> => {
  const found: T[] = []
  let storeCursor = cursor === undefined ? undefined : cursorAfter(prefix + decodeCursor(cursor))
  do {
    const options = { prefix, limit: pageLimit, order: 'descending' } as const
    const page = await store.list(collection, { ...options, ...(storeCursor && { cursor: storeCursor }) })
    found.push(...page.records.map(({ value }) => value).filter(matches))
    storeCursor = page.nextCursor
  } while (storeCursor !== undefined && found.length <= limit)
  const last = found[limit - 1]
  const more = found.length > limit && last !== undefined ? { nextCursor: encodeCursor(last.id) } : {}
  return { found: found.slice(0, limit), ...more }
}
