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

/** Hashed, because a name or a request id may contain a slash or be longer than an id of the store. */
const indexPrefix = (index: 'actor' | 'target' | 'request', name: string): string =>
  `${index}/${createHash('sha256').update(name).digest('base64url')}/`
/** Prefix of the records of all entries, in order of time. */
export const allPrefix = 'all/'

/** The record with the whole entry. It is under the request, because a request has few entries to list. */
const wholeIdOf = ({ id, requestId }: Pick<AuditEntry, 'id' | 'requestId'>): string => indexPrefix('request', requestId) + id

/** The records with the entry as lists show it. */
const listedIdsOf = ({ id, actor, target }: Pick<AuditEntry, 'id' | 'actor' | 'target'>): readonly string[] =>
  [allPrefix, indexPrefix('actor', actor), indexPrefix('target', target)].map((prefix) => prefix + id)

/** The prefix with the fewest candidates for a query: requests have few entries, targets some, actors many. */
const narrowestPrefix = ({ requestId, target, actor }: AuditQuery): string => {
  if (requestId !== undefined) return indexPrefix('request', requestId)
  if (target !== undefined) return indexPrefix('target', target)
  return actor === undefined ? allPrefix : indexPrefix('actor', actor)
}

const matches = (entry: AuditEntry, { actor, target, requestId }: AuditQuery): boolean =>
  (actor === undefined || entry.actor === actor) &&
  (target === undefined || entry.target === target) &&
  (requestId === undefined || entry.requestId === requestId)

/** Smaller pages for requests, whose entries are read whole. */
const pageLimitOf = ({ requestId }: AuditQuery): number => (requestId === undefined ? limitMax + 1 : wholeAtOnce)

const entryIdPattern = /^[\x21-\x7e]{1,128}$/

const encodeCursor = (entryId: string): string => Buffer.from(entryId, 'utf8').toString('base64url')
const decodeCursor = (cursor: string): string => {
  const entryId = Buffer.from(cursor, 'base64url').toString('utf8')
  if (entryIdPattern.test(entryId) && encodeCursor(entryId) === cursor) return entryId
  throw new AppError('invalid', 'bad-request', 'The cursor is not one that the audit log returned.')
}

const keptOf = (entry: AuditEntry): AuditEntry => ({ ...entry, before: entry.before ?? null, after: entry.after ?? null })

/** The writes that delete every record of an entry. */
export const auditRemovals = (entry: Pick<AuditEntry, 'id' | 'actor' | 'target' | 'requestId'>): readonly Write[] =>
  [...listedIdsOf(entry), wholeIdOf(entry)].map((id) => ({ kind: 'delete', collection: auditRecords.name, id }))

/** The four writes that append `entry`, for a commit together with its change. */
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
    // The entry may be there from an earlier attempt whose answer was lost.
    const there = error instanceof AppError && error.kind === 'conflict' ? await findWhole(store, entry.id) : undefined
    if (there === undefined || !isDeepStrictEqual(there, JSON.parse(JSON.stringify(keptOf(entry))))) throw error
  }
}

/**
 * An audit log in a Store. Each entry is written under its time, actor, target and request in one commit, so that a filter reads only
 * matching entries. Appending an entry again changes nothing; a different entry with the same id throws AppError `conflict`.
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
    // With one filter every record of its index matches; with more, few may.
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
