import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createKeyedQueue } from '../../kernel/queue.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import { createCollection, putWrite, type Store, type Write } from '../../platform/storage/store.ts'
import { cursorAfter } from '../../platform/storage/store-rules.ts'
import { AuditEntry, type AuditLog, type AuditPage, type AuditQuery, type GroupedChange } from './audit-log.ts'
import { cutEntry } from './cut-entry.ts'

/** A record that stands for another one: a grouped entry under the request or target of a later change. */
const Alias = ClosedObject({ sameAs: Type.String() })
export const auditRecords = createCollection('audit', Type.Union([AuditEntry, Alias]))
/** The newest grouped entry of each caller and action. */
const groupRecords = createCollection('audit-groups', ClosedObject({ id: Type.String() }))
const groupMs = 10_000
const groupedMax = 100
const limitMax = 200
const wholeAtOnce = 25
/** Entries that one call reads for a search. The caller continues with the cursor. */
const readMax = 2000

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

const fold = (text: string): string => text.normalize('NFC').toLowerCase()

/** The names of a changed object, and the kind of a sanction. */
const namesIn = (side: unknown): readonly string[] => {
  if (typeof side !== 'object' || side === null) return []
  return ['displayName', 'name', 'kind'].map((key): unknown => Reflect.get(side, key)).filter((name) => typeof name === 'string')
}

/** The part of an entry that a search reads, in lower case. */
const searchedText = ({ actor, action, target, before, after, mergedInto = '', more = [] }: AuditEntry): string =>
  fold(
    [
      ...[actor, action, target, mergedInto, ...namesIn(before), ...namesIn(after)],
      ...more.flatMap((change) => change.target ?? []),
    ].join('\n'),
  )

/** Whether an entry found under `narrowestPrefix` matches the other filters too. */
const createMatcher = ({ actor, target, requestId, text = '' }: AuditQuery) => {
  const words = fold(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  return (entry: AuditEntry): boolean => {
    if (actor !== undefined && entry.actor !== actor) return false
    const isTarget = (change: Pick<GroupedChange, 'target'>): boolean => change.target === target
    if (target !== undefined && requestId !== undefined && ![entry, ...(entry.more ?? [])].some(isTarget)) return false
    const searched = words.length === 0 ? '' : searchedText(entry)
    return words.every((word) => searched.includes(word))
  }
}

/** The last time that an id can have. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
/** The ids of all entries from a time on are at least this; `~` after it follows the ids of that millisecond. */
const idAt = (ms: number): string => new Date(Math.min(Math.max(ms, 0), lastMs)).toISOString()

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

const writesMax = 10

/** The aliases of a grouped entry, under the requests and targets that are not those of its first change. */
const aliasesOf = (entry: AuditEntry, changes: readonly GroupedChange[]): ReadonlyMap<string, string> =>
  new Map(
    changes.flatMap(({ requestId, target }) => [
      ...(requestId === entry.requestId ? [] : [[indexPrefix('request', requestId) + entry.id, wholeIdOf(entry)] as const]),
      ...(target === undefined ? [] : [[indexPrefix('target', target) + entry.id, allPrefix + entry.id] as const]),
    ]),
  )

/** Deletes every record of an entry, those of grouped changes first. */
export const removeAuditEntry = async (
  store: Store,
  entry: Pick<AuditEntry, 'id' | 'actor' | 'target' | 'requestId' | 'count'>,
): Promise<void> => {
  const remove = (ids: readonly string[]) =>
    store.commit(ids.map((id) => ({ kind: 'delete', collection: auditRecords.name, id }) as const))
  const whole = entry.count === undefined ? undefined : await resolve(store, wholeIdOf(entry))
  const aliases = whole === undefined ? [] : [...aliasesOf(whole, whole.more ?? []).keys()]
  for (let from = 0; from < aliases.length; from += writesMax) await remove(aliases.slice(from, from + writesMax))
  await remove([...listedIdsOf(entry), wholeIdOf(entry)])
}

/** The four writes that append `entry`, for a commit together with its change. */
export const auditWrites = (entry: AuditEntry): readonly Write[] => {
  const whole = keptOf(entry)
  const listed = cutEntry(whole)
  return [
    ...listedIdsOf(entry).map((id) => putWrite(auditRecords, id, listed, { ifVersion: null })),
    putWrite(auditRecords, wholeIdOf(entry), whole, { ifVersion: null }),
  ]
}

/** The entry in a record, also through an alias. */
const resolve = async (store: Store, id: string): Promise<AuditEntry | undefined> => {
  const value = (await store.get(auditRecords, id))?.value
  return value !== undefined && 'sameAs' in value ? resolve(store, value.sameAs) : value
}

const findWhole = async (store: Store, id: string): Promise<AuditEntry | undefined> => {
  if (!entryIdPattern.test(id)) return undefined
  const listed = await resolve(store, allPrefix + id)
  return listed?.cut === undefined ? listed : resolve(store, wholeIdOf(listed))
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

/** The ids of groups are hashed, because an actor may be longer than an id of the store. */
const groupIdOf = ({ actor, action, via, unproven }: AuditEntry): string =>
  createHash('sha256')
    .update(JSON.stringify([actor, action, via, unproven === true]))
    .digest('base64url')

const withChange = (entry: AuditEntry, { at, requestId, target, before, after }: AuditEntry): AuditEntry => {
  const change = { at, requestId, ...(target !== entry.target && { target }), before: before ?? null, after: after ?? null }
  return { ...entry, count: (entry.count ?? 1) + 1, more: [...(entry.more ?? []), change] }
}

/** Adds the change of `added` to the current group of its caller, or begins a group. Throws `conflict` if another process was faster. */
const appendToGroup = async (store: Store, added: AuditEntry): Promise<void> => {
  const groupId = groupIdOf(added)
  const group = await store.get(groupRecords, groupId)
  const listed = group && (await resolve(store, allPrefix + group.value.id))
  const found = listed && (await store.get(auditRecords, wholeIdOf(listed)))
  const isOpen =
    found !== undefined &&
    'id' in found.value &&
    Math.abs(Date.parse(added.at) - Date.parse(found.value.at)) < groupMs &&
    (found.value.count ?? 1) < groupedMax
  if (!isOpen) {
    const begin = putWrite(groupRecords, groupId, { id: added.id }, { ifVersion: group?.version ?? null })
    await store.commit([begin, ...auditWrites(added)])
    return
  }
  const whole = withChange(found.value, added)
  const cut = cutEntry(whole)
  await store.commit([
    putWrite(auditRecords, found.id, whole, { ifVersion: found.version }),
    ...listedIdsOf(whole).map((id) => putWrite(auditRecords, id, cut)),
    ...[...aliasesOf(whole, whole.more?.slice(-1) ?? [])].map(([id, sameAs]) => putWrite(auditRecords, id, { sameAs })),
  ])
}

const attemptsMax = 20

/**
 * An audit log in a Store. Each entry is written under its time, actor, target and request in one commit, so that a filter reads only
 * matching entries. Appending an entry again changes nothing; a different entry with the same id throws AppError `conflict`.
 */
export const createStoreAuditLog = (store: Store): AuditLog => {
  const inTurn = createKeyedQueue()
  return {
    find: (id) => findWhole(store, id),
    append: async (entries) => {
      await Promise.all(entries.map((entry) => appendEntry(store, entry)))
    },
    appendGrouped: (entry) =>
      inTurn(groupIdOf(entry), async () => {
        for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
          try {
            return await appendToGroup(store, entry)
          } catch (error) {
            if (!(error instanceof AppError && error.kind === 'conflict')) throw error
          }
        }
        // Many other processes write to the group. An entry of its own is as good.
        await appendEntry(store, entry)
      }),
    listEntries: async (query) => {
      const { limit, cursor } = query
      if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
        throw new AppError('invalid', 'bad-request', `The limit of an audit query is 1 to ${limitMax}.`)
      const prefix = narrowestPrefix(query)
      const { actor, target, requestId, text, fromMs, toMs } = query
      const filters = [actor, target, requestId, text].filter((name) => name !== undefined)
      // With one filter every record of its index matches; with more, or with a text, few may.
      const isSearch = filters.length > 1 || text !== undefined
      const pageLimit = Math.min(isSearch ? limitMax : limit + 1, pageLimitOf(query))
      const matches = createMatcher(query)
      const first = fromMs === undefined ? prefix : prefix + idAt(fromMs)
      const found: AuditEntry[] = []
      const afterIds = [
        ...(cursor === undefined ? [] : [decodeCursor(cursor)]),
        ...(toMs === undefined ? [] : [`${idAt(toMs)}~`]),
      ].sort()
      let storeCursor = afterIds[0] === undefined ? undefined : cursorAfter(prefix + afterIds[0])
      let readCount = 0
      let lastId = ''
      /** `rest` is the id of the last entry that was read, if unread ones follow. */
      const answer = (rest?: string): AuditPage => {
        const entries = found.slice(0, limit)
        const next = found.length > limit ? entries.at(-1)?.id : rest
        return next === undefined ? { entries } : { entries, nextCursor: encodeCursor(next) }
      }
      do {
        const page = await store.list(auditRecords, {
          prefix,
          limit: pageLimit,
          order: 'descending',
          ...(storeCursor && { cursor: storeCursor }),
        })
        for (const { id, value } of page.records) {
          if (id < first) return answer()
          readCount += 1
          lastId = id.slice(prefix.length)
          const whole = 'sameAs' in value ? await resolve(store, value.sameAs) : value
          if (whole === undefined || !matches(whole)) continue
          const entry = cutEntry(whole)
          found.push(entry)
          if (entry !== whole) await letOthersWork()
        }
        storeCursor = page.nextCursor
        if (isSearch && storeCursor !== undefined && readCount >= readMax && found.length <= limit) return answer(lastId)
      } while (storeCursor !== undefined && found.length <= limit)
      return answer()
    },
  }
}
