import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import { createCollection, putWrite, type Store, type Write } from '../../platform/storage/store.ts'
import { cursorAfter } from '../../platform/storage/store-rules.ts'
import { AuditEntry, type AuditLog, type AuditQuery } from './audit-log.ts'
import { cutEntry } from './cut-entry.ts'

export const auditRecords = createCollection('audit', AuditEntry)
const limitMax = 200
const wholeAtOnce = 25

/** Hashed, because a name or a request id may be longer than an id of the store, or hold a slash. */
const indexPrefix = (index: 'actor' | 'target' | 'request', name: string): string =>
  `${index}/${createHash('sha256').update(name).digest('base64url')}/`
/** Of the records that tell of all entries, in the order of time. */
export const allPrefix = 'all/'

/** Where an entry lies whole: of requests there are few entries to list. */
const wholeIdOf = ({ id, requestId }: Pick<AuditEntry, 'id' | 'requestId'>): string => indexPrefix('request', requestId) + id

/** Where it lies as lists hold it. */
const listedIdsOf = ({ id, actor, target }: Pick<AuditEntry, 'id' | 'actor' | 'target'>): readonly string[] =>
  [allPrefix, indexPrefix('actor', actor), indexPrefix('target', target)].map((prefix) => prefix + id)

/** The prefix that holds the fewest entries which a query could want: a request made few, a target has had some, an actor made many. */
const narrowestPrefix = ({ requestId, target, actor }: AuditQuery): string => {
  if (requestId !== undefined) return indexPrefix('request', requestId)
  if (target !== undefined) return indexPrefix('target', target)
  return actor === undefined ? allPrefix : indexPrefix('actor', actor)
}

const matches = (entry: AuditEntry, { actor, target, requestId }: AuditQuery): boolean =>
  (actor === undefined || entry.actor === actor) &&
  (target === undefined || entry.target === target) &&
  (requestId === undefined || entry.requestId === requestId)

/** Entries of requests are read whole: fewer at a time. */
const pageLimitOf = ({ requestId }: AuditQuery): number => (requestId === undefined ? limitMax + 1 : wholeAtOnce)

const entryIdPattern = /^[\x21-\x7e]{1,128}$/

const encodeCursor = (entryId: string): string => Buffer.from(entryId, 'utf8').toString('base64url')
const decodeCursor = (cursor: string): string => {
  const entryId = Buffer.from(cursor, 'base64url').toString('utf8')
  if (entryIdPattern.test(entryId) && encodeCursor(entryId) === cursor) return entryId
  throw new AppError('invalid', 'bad-request', 'The cursor is not one that the audit log returned.')
}

const keptOf = (entry: AuditEntry): AuditEntry => ({ ...entry, before: entry.before ?? null, after: entry.after ?? null })

/** Takes every record of an entry away. */
export const auditRemovals = (entry: Pick<AuditEntry, 'id' | 'actor' | 'target' | 'requestId'>): readonly Write[] =>
  [...listedIdsOf(entry), wholeIdOf(entry)].map((id) => ({ kind: 'delete', collection: auditRecords.name, id }))

/** The four writes that append `entry`, for a commit together with the change that it tells of. */
export const auditWrites = (entry: AuditEntry): readonly Write[] => {
  const whole = keptOf(entry)
  const listed = cutEntry(whole)
  return [
    ...listedIdsOf(entry).map((id) => putWrite(auditRecords, id, listed, { ifVersion: null })),
    putWrite(auditRecords, wholeIdOf(entry), whole, { ifVersion: null }),
  ]
}

const findWhole = async (store: Store, id: string): Promise<AuditEntry | undefined> => {
  if (!entryIdPattern.test(id)) return undefined
  const listed = (await store.get(auditRecords, allPrefix + id))?.value
  return listed?.cut === undefined ? listed : (await store.get(auditRecords, wholeIdOf(listed)))?.value
}

const appendEntry = async (store: Store, entry: AuditEntry): Promise<void> => {
  try {
    await store.commit(auditWrites(entry))
  } catch (error) {
    // Appended once more after an answer that was lost: what is there already is what was wanted.
    const there = error instanceof AppError && error.kind === 'conflict' ? await findWhole(store, entry.id) : undefined
    if (there === undefined || !isDeepStrictEqual(there, JSON.parse(JSON.stringify(keptOf(entry))))) throw error
  }
}

/**
 * An audit log in a Store: each entry is written under its time, actor, target and request in one commit. So a filter
 * reads only what one of them names. Appending an entry again changes nothing; another one under its id throws AppError `conflict`.
 */
export const createStoreAuditLog = (store: Store): AuditLog => ({
  find: (id) => findWhole(store, id),
  append: async (entries) => {
    await Promise.all(entries.map((entry) => appendEntry(store, entry)))
  },
  listEntries: async (query) => {
    const { limit, cursor } = query
    if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
      throw new AppError('invalid', 'bad-request', `The limit of an audit query is 1 to ${limitMax}.`)
    const prefix = narrowestPrefix(query)
    const filters = [query.actor, query.target, query.requestId].filter((name) => name !== undefined)
    // With one filter every record of its index is wanted; with more, few may be.
    const pageLimit = Math.min(filters.length > 1 ? limitMax : limit + 1, pageLimitOf(query))
    const found: AuditEntry[] = []
    let storeCursor = cursor === undefined ? undefined : cursorAfter(prefix + decodeCursor(cursor))
    do {
      const page = await store.list(auditRecords, {
        prefix,
        limit: pageLimit,
        order: 'descending',
        ...(storeCursor && { cursor: storeCursor }),
      })
      for (const { value } of page.records)
        if (matches(value, query)) {
          const entry = cutEntry(value)
          found.push(entry)
          if (entry !== value) await letOthersWork()
        }
      storeCursor = page.nextCursor
    } while (storeCursor !== undefined && found.length <= limit)
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return found.length > limit && last !== undefined ? { entries, nextCursor: encodeCursor(last.id) } : { entries }
  },
})
