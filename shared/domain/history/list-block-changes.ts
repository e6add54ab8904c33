import { AppError } from '../../kernel/errors.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { BlockChange } from './block-change.ts'
import { type ChangeFilter, isByAndWhen, isInPlace, readPages } from './find-changes.ts'

/** The maximum number of pages that one call reads. The cursor continues from there. */
const pagesMax = 256

export type ChangesQuery = { readonly filter: ChangeFilter; readonly limit: number; readonly cursor?: string | undefined }
export type ChangesPage = { readonly changes: readonly BlockChange[]; readonly nextCursor?: string }

/** A page, and the number of its changes that are still to be read. */
type PageCursor = { readonly page: number; readonly before: number }

const encodeCursor = ({ page, before }: PageCursor): string => `${page.toString(36)}.${before.toString(36)}`

const decodeCursor = (cursor: string): PageCursor => {
  const [page, before] = cursor.split('.').map((digits) => Number.parseInt(digits, 36))
  if (page !== undefined && before !== undefined && Number.isSafeInteger(page) && Number.isSafeInteger(before)) {
    const place = { page, before }
    if (encodeCursor(place) === cursor) return place
  }
  throw new AppError('invalid', 'bad-request', 'The cursor is not valid. Use the nextCursor of the previous page.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the previous page' }],
  })
}

/** A page of changes, newest first. It may have fewer than `limit` changes, even none, and still have a cursor. */
export const listChanges = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  { filter, limit, cursor }: ChangesQuery,
): Promise<ChangesPage> => {
  const start = cursor === undefined ? undefined : decodeCursor(cursor)
  const found: BlockChange[] = []
  let pagesRead = 0
  for await (const { page, changes } of readPages(chunks, world, { filter, ...(start && { from: start.page }) })) {
    const from = start?.page === page ? Math.min(start.before, changes.length) : changes.length
    if (pagesRead >= pagesMax) return { changes: found, nextCursor: encodeCursor({ page, before: changes.length }) }
    pagesRead += 1
    for (let place = from - 1; place >= 0; place -= 1) {
      const change = changes[place]
      if (change === undefined || !isInPlace(filter, change) || !isByAndWhen(filter, change)) continue
      if (found.length === limit) return { changes: found, nextCursor: encodeCursor({ page, before: place + 1 }) }
      found.push(change)
    }
  }
  return { changes: found }
}
