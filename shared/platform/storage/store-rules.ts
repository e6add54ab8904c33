import { isUtf8 } from 'node:buffer'
import { AppError } from '../../kernel/errors.ts'
import type { ListOptions, Version, Write } from './store.ts'

const idBytesMax = 512
const writesMax = 10
const listLimitMax = 1000
const listLimitDefault = 100

const invalid = (detail: string, cause?: unknown): AppError => new AppError('invalid', 'bad-request', detail, { cause })

/** Refuses lone surrogates: they have no UTF-8, so two such texts could stand for one record. */
const encodeText = (text: string, what: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > idBytesMax) throw invalid(`The ${what} is too long: at most ${idBytesMax} bytes.`)
  if (bytes.toString('utf8') !== text) throw invalid(`The ${what} is not well-formed Unicode.`)
  return bytes
}

const checkCollectionName = (name: string): void => {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    throw invalid('The name of a collection has 1 to 64 lower-case letters, digits and dashes.')
}

/** Throws AppError `invalid` unless the name of the collection is valid and `id` is 1 to 512 bytes of well-formed Unicode. */
export const checkRecordKey = (collection: string, id: string): void => {
  checkCollectionName(collection)
  if (encodeText(id, 'id of a record').length === 0) throw invalid('The id of a record is empty.')
}

const encodeValue = (value: unknown): string => {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw invalid('The value of a record cannot be written as JSON.', cause)
  }
  if (text === undefined) throw invalid('The value of a record cannot be written as JSON.')
  return text
}

/** A checked write of a commit. Its value is JSON text, so every adapter reads back an equal, unshared value. */
export type PreparedWrite = {
  readonly collection: string
  readonly id: string
  readonly ifVersion: Version | null | undefined
} & ({ readonly kind: 'put'; readonly version: Version; readonly text: string } | { readonly kind: 'delete' | 'check' })

/** Checks a commit in advance: 1 to 10 writes of distinct records with valid ids. Throws AppError `invalid`. */
export const prepareWrites = (writes: readonly Write[], newVersion: () => Version): readonly PreparedWrite[] => {
  if (writes.length < 1 || writes.length > writesMax) throw invalid(`A commit must have 1 to ${writesMax} writes.`)
  for (const { collection, id } of writes) checkRecordKey(collection, id)
  if (new Set(writes.map(({ collection, id }) => `${collection}/${id}`)).size < writes.length)
    throw invalid('A commit must not have two writes of one record.')
  return writes.map((write) => {
    const { collection, id, ifVersion } = write
    return write.kind === 'put'
      ? { collection, id, ifVersion, kind: write.kind, version: newVersion(), text: encodeValue(write.value) }
      : { collection, id, ifVersion, kind: write.kind }
  })
}

/** Whether a record with the version `current` (undefined without a record) may be written. */
export const meetsPrecondition = ({ ifVersion }: PreparedWrite, current: Version | undefined): boolean =>
  ifVersion === undefined || ifVersion === (current ?? null)

/** Checked list options with their defaults. `after` is the last id of the previous page. Both are in UTF-8. */
export type ListRange = {
  readonly prefix: Buffer
  readonly limit: number
  readonly after: Buffer | undefined
  readonly descending: boolean
}

const decodeCursor = (cursor: string): Buffer => {
  const bytes = Buffer.from(cursor, 'base64url')
  const sound = bytes.length > 0 && bytes.length <= idBytesMax && isUtf8(bytes) && bytes.toString('base64url') === cursor
  if (!sound) throw invalid('The cursor is not valid. Use the nextCursor of the previous page.')
  return bytes
}

/** Checks the options of a list. Throws AppError `invalid`. */
export const parseListOptions = (
  collection: string,
  { prefix = '', limit = listLimitDefault, cursor, order }: ListOptions,
): ListRange => {
  checkCollectionName(collection)
  if (!Number.isInteger(limit) || limit < 1 || limit > listLimitMax) throw invalid(`The limit of a list is 1 to ${listLimitMax}.`)
  return {
    prefix: encodeText(prefix, 'prefix of a list'),
    limit,
    after: cursor === undefined ? undefined : decodeCursor(cursor),
    descending: order === 'descending',
  }
}

/** The cursor of a list that continues after `id`, which need not exist. */
export const cursorAfter = (id: string): string => Buffer.from(id, 'utf8').toString('base64url')

/** The first `limit` of `found`, and a cursor if `found` has one more. */
export const pageOf = <R extends { readonly id: string }>(
  found: readonly R[],
  limit: number,
): { items: R[]; nextCursor?: string } => {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return found.length > limit && last !== undefined ? { items, nextCursor: cursorAfter(last.id) } : { items }
}
