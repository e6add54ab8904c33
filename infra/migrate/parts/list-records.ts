import type { Collection, Store, StoredRecord } from '../../../shared/storage/store.ts'
import { cursorAfter } from '../../../shared/storage/store-rules.ts'

/** Values as they are stored, whatever this version makes of them. */
export const rawCollection = (name: string): Collection<unknown> => ({ name, parse: (stored) => stored })

const pageLimit = 500

/** All records of a collection in the order of their ids, after the one of id `after`. */
export async function* listRecords<T>(
  store: Pick<Store, 'list'>,
  collection: Collection<T>,
  after?: string,
): AsyncGenerator<StoredRecord<T>, void> {
  let cursor = after === undefined ? undefined : cursorAfter(after)
  do {
    const page = await store.list(collection, { limit: pageLimit, ...(cursor !== undefined && { cursor }) })
    yield* page.records
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** Whether there is no record of a collection. */
export const isEmpty = async (store: Pick<Store, 'list'>, name: string): Promise<boolean> =>
  (await store.list(rawCollection(name), { limit: 1 })).records.length === 0
