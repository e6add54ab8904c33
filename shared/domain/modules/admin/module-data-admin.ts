import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { type Collection, putWrite, type Store, type StoredRecord, type Write } from '../../../platform/storage/store.ts'
import type { Actor } from '../../accounts/actor.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { isStoredData, refuseLargeData, type StoredData } from '../data/data-kind.ts'
import {
  isAside,
  modulePlayers,
  moduleRecords,
  moduleSetAside,
  moduleStates,
  playerDataId,
  recordId,
} from '../data/module-data.ts'
import type { ModuleOrder, ModuleOrders } from './module-orders.ts'

/** A stored value of a module: a record, or the data of a player. */
export type ModuleValue = { readonly module: string } & (
  | { readonly record: string; readonly id: string }
  | { readonly playerId: string }
)

export type ListedRecord = {
  readonly record: string
  readonly id: string
  readonly value: unknown
  /** Changes with each write. */
  readonly version: string
}

/** A stored value that the schema of its module could not read. */
export type SetAsideValue = {
  /** Whose value it was: a player's, a record, or the state of a world. */
  readonly of: 'player' | 'record' | 'state'
  /** The kind of record. */
  readonly record?: string
  /** The playerId, the id of the record, or the id of the world. */
  readonly id: string
  readonly at: string
  /** Why it could not be read. */
  readonly fault: string
  readonly version: number
  readonly value: unknown
}

export type RecordsQuery = {
  readonly record?: string | undefined
  /** Of the id. Needs `record`. */
  readonly prefix?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export type FoundValue = StoredData & {
  /** The version of the store; undefined for a value in the memory of a node. */
  readonly etag: string | undefined
}

/** The condition of a write by an administrator. */
export type WriteCondition = {
  /** The version of the store. Otherwise `stale`. */
  readonly ifEtag?: string | undefined
  /** The value that is there now; `null` for none. Otherwise `stale`. */
  readonly was?: unknown
}

/**
 * Reads and writes the values of modules for administrators. Data of a connected player is read and written in the memory of its node.
 * Each write is audited. Throws AppError `not-found`, `unprocessable` for a value that does not fit the module's declaration, `stale`,
 * `too-large` and `unavailable`.
 */
export type ModuleDataAdmin = {
  /** In the order of records and ids. */
  listRecords(
    module: string,
    query: RecordsQuery,
  ): Promise<{ readonly records: readonly ListedRecord[]; readonly nextCursor?: string }>
  /** By players, records and states, and by id. Throws AppError `invalid` for a cursor of another list. */
  listSetAside(
    module: string,
    query: Pick<RecordsQuery, 'limit' | 'cursor'>,
  ): Promise<{ readonly values: readonly SetAsideValue[]; readonly nextCursor?: string }>
  find(target: ModuleValue): Promise<FoundValue | undefined>
  /** Writes a value. Without `version`, it is of the declaration of the running module. */
  put(
    actor: Actor,
    target: ModuleValue,
    value: unknown,
    options?: WriteCondition & { readonly version?: number },
  ): Promise<FoundValue>
  /** A connected player gets the defaults. */
  delete(actor: Actor, target: ModuleValue, condition?: WriteCondition): Promise<void>
}

export type ModuleDataAdminDeps = {
  readonly store: Store
  readonly orders: Pick<ModuleOrders, 'send'>
  readonly audit: Pick<AuditLog, 'append'>
  /** The largest stored value, in bytes. */
  readonly bytesMax: () => number
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

/** The target of audit entries: `shop/records/sales/1` or `shop/players/ID`. */
export const targetOf = (target: ModuleValue): string =>
  'playerId' in target ? `${target.module}/players/${target.playerId}` : `${target.module}/records/${target.record}/${target.id}`

/** The value with this target of an audit entry. */
export const parseTarget = (text: string): ModuleValue | undefined => {
  const [, module, playerId] = /^([^/]+)\/players\/(.+)$/.exec(text) ?? []
  if (module !== undefined && playerId !== undefined) return { module, playerId }
  const [, owner, record, id] = /^([^/]+)\/records\/([^/]+)\/(.+)$/s.exec(text) ?? []
  return owner !== undefined && record !== undefined && id !== undefined ? { module: owner, record, id } : undefined
}

const addressOf = (target: ModuleValue): { readonly collection: Collection<unknown>; readonly id: string } =>
  'playerId' in target
    ? { collection: modulePlayers, id: playerDataId(target.module, target.playerId) }
    : { collection: moduleRecords, id: recordId(target.module, target.record, target.id) }

const notFound = (target: ModuleValue): AppError =>
  new AppError(
    'not-found',
    'not-found',
    'playerId' in target
      ? `The module ${target.module} has no data of this player.`
      : `The module ${target.module} has no such record.`,
  )

const stale = (): AppError => new AppError('stale', 'stale', 'The value has changed since you read it. Read it again and repeat.')

/** Values of an unknown form are shown as they are. */
const toStored = (stored: unknown): StoredData => (isStoredData(stored) ? stored : { version: 1, value: stored })

const setAsideGroups = [
  { of: 'player', collection: modulePlayers.name },
  { of: 'record', collection: moduleRecords.name },
  { of: 'state', collection: moduleStates.name },
] as const

export const createModuleDataAdmin = ({ store, orders, audit, bytesMax, ...source }: ModuleDataAdminDeps): ModuleDataAdmin => {
  /** The answer of the first node that is concerned; undefined if none is. Throws its refusal. */
  const order = async (wanted: ModuleOrder): Promise<{ readonly value: unknown } | undefined> => {
    const [first] = await orders.send(wanted)
    if (first === undefined) return undefined
    if (first.outcome === 'refused') throw first.error
    return first
  }

  const findInMemory = async (target: ModuleValue): Promise<StoredData | undefined> => {
    if (!('playerId' in target)) return undefined
    const { module, playerId } = target
    const found = await order({ kind: 'read-player', module, playerId })
    return found && toStored(found.value)
  }

  const entryOf = (actor: Actor, target: ModuleValue, before: StoredData | undefined, after: StoredData | undefined) => {
    const action = `${'playerId' in target ? 'module-player' : 'module-record'}.${after === undefined ? 'delete' : 'update'}`
    return createAuditEntry(source, actor, { action, target: targetOf(target), before: before ?? null, after: after ?? null })
  }

  /** Writes in the memory of the node that has the value. Returns undefined if no node has it. */
  const writeInMemory = async (
    actor: Actor,
    target: ModuleValue,
    next: { readonly value?: unknown; readonly version?: number },
    { was }: WriteCondition,
  ): Promise<StoredData | undefined> => {
    if (!('playerId' in target)) return undefined
    const { module, playerId } = target
    const written = await order({ kind: 'write-player', module, playerId, ...next, ...(was !== undefined && { was }) })
    if (written === undefined) return undefined
    const { before, after } = written.value as { readonly before: StoredData; readonly after: StoredData }
    if (!isDeepStrictEqual(before, after))
      await audit.append([entryOf(actor, target, before, 'value' in next ? after : undefined)])
    return after
  }

  const refuseStale = (stored: StoredRecord<unknown> | undefined, { ifEtag, was }: WriteCondition): void => {
    if (ifEtag !== undefined && stored?.version !== ifEtag) throw stale()
    const current = stored === undefined ? null : toStored(stored.value).value
    if (was !== undefined && !isDeepStrictEqual(current, was)) throw stale()
  }

  const commit = async (writes: readonly Write[]) => {
    try {
      return await store.commit(writes)
    } catch (error) {
      throw error instanceof AppError && error.kind === 'conflict' ? stale() : error
    }
  }

  return {
    listRecords: async (module, { record, prefix = '', limit, cursor }) => {
      const base = `${module}/`
      const { records, ...next } = await store.list(moduleRecords, {
        prefix: record === undefined ? base : recordId(module, record, prefix),
        limit,
        ...(cursor !== undefined && { cursor }),
      })
      return {
        records: records.map(({ id: stored, value, version }) => {
          const rest = stored.slice(base.length)
          const at = rest.indexOf('/')
          return { record: rest.slice(0, at), id: rest.slice(at + 1), value: toStored(value).value, version }
        }),
        ...next,
      }
    },
    listSetAside: async (module, { limit, cursor }) => {
      const [, first, inside] = /^([0-2])\.(.*)$/s.exec(cursor ?? '0.') ?? []
      if (first === undefined)
        throw new AppError('invalid', 'bad-request', 'The query is not valid.', {
          errors: [{ pointer: '/cursor', message: 'is not a cursor of this list' }],
        })
      const values: SetAsideValue[] = []
      let next = inside
      for (let at = Number(first); at < setAsideGroups.length; at += 1) {
        if (values.length === limit) return { values, nextCursor: `${at}.` }
        const { of, collection } = setAsideGroups[at] ?? setAsideGroups[0]
        const page = await store.list(moduleSetAside, {
          prefix: `${collection}/${module}/`,
          limit: limit - values.length,
          ...(next !== undefined && next !== '' && { cursor: next }),
        })
        for (const { value: aside } of page.records) {
          if (!isAside(aside)) continue
          const rest = aside.id.slice(module.length + 1)
          const slash = of === 'record' ? rest.indexOf('/') : -1
          const { at: when, fault, stored } = aside
          const place = { of, ...(slash > 0 && { record: rest.slice(0, slash) }), id: rest.slice(slash + 1) }
          values.push({ ...place, at: when, fault, ...toStored(stored) })
        }
        if (page.nextCursor !== undefined) return { values, nextCursor: `${at}.${page.nextCursor}` }
        next = undefined
      }
      return { values }
    },
    find: async (target) => {
      const live = await findInMemory(target)
      if (live !== undefined) return { version: live.version, value: live.value, etag: undefined }
      const { collection, id } = addressOf(target)
      const stored = await store.get(collection, id)
      if (stored === undefined) return undefined
      const { version, value } = toStored(stored.value)
      return { version, value, etag: stored.version }
    },
    put: async (actor, target, value, { version, ...condition } = {}) => {
      refuseLargeData(value, bytesMax())
      const live = await writeInMemory(actor, target, { value, ...(version !== undefined && { version }) }, condition)
      if (live !== undefined) return { version: live.version, value: live.value, etag: undefined }
      const { module } = target
      const checked =
        version === undefined
          ? await order({ kind: 'check-data', module, value, ...('record' in target && { record: target.record }) })
          : undefined
      const { collection, id } = addressOf(target)
      const stored = await store.get(collection, id)
      refuseStale(stored, condition)
      const before = stored && toStored(stored.value)
      const declared = typeof checked?.value === 'number' ? checked.value : undefined
      const next: StoredData = { version: version ?? declared ?? before?.version ?? 1, value }
      if (stored !== undefined && isDeepStrictEqual(before, next)) return { version: next.version, value, etag: stored.version }
      const entry = entryOf(actor, target, before, next)
      const [etag] = await commit([putWrite(collection, id, next, { ifVersion: stored?.version ?? null }), ...auditWrites(entry)])
      return { version: next.version, value, etag: etag ?? undefined }
    },
    delete: async (actor, target, condition = {}) => {
      if ((await writeInMemory(actor, target, {}, condition)) !== undefined) return
      const { collection, id } = addressOf(target)
      const stored = await store.get(collection, id)
      if (stored === undefined) throw notFound(target)
      refuseStale(stored, condition)
      const entry = entryOf(actor, target, toStored(stored.value), undefined)
      await commit([{ kind: 'delete', collection: collection.name, id, ifVersion: stored.version }, ...auditWrites(entry)])
    },
  }
}
