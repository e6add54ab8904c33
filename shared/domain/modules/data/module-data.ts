import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import {
  type Collection,
  type Precondition,
  putWrite,
  type Store,
  type Version,
  type Write,
} from '../../../platform/storage/store.ts'
import type { DataKind } from './data-kind.ts'

/** The declaration of the module decides later whether a value can be read. */
const keep = (stored: unknown): unknown => stored

/** Values by `recordId`, `playerDataId` and `stateId`. Each has the version of the declaration that wrote it. */
export const moduleRecords: Collection<unknown> = { name: 'module-records', parse: keep }
export const modulePlayers: Collection<unknown> = { name: 'module-players', parse: keep }
export const moduleStates: Collection<unknown> = { name: 'module-states', parse: keep }
/** Values that could not be read, with the reason. An operator can repair them. */
export const moduleSetAside: Collection<unknown> = { name: 'module-set-aside', parse: keep }

/** A value in `module-set-aside`. `id` is its place in its collection before. */
export type Aside = { readonly id: string; readonly at: string; readonly fault: string; readonly stored: unknown }

export const isAside = (value: unknown): value is Aside =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'at' in value &&
  typeof value.at === 'string' &&
  'fault' in value &&
  typeof value.fault === 'string' &&
  'stored' in value

/** The largest id that a module gives to a record, in bytes of UTF-8. */
const recordIdBytesMax = 256

/** Throws AppError `invalid` unless a module may use this id of a record. */
export const checkRecordId = (id: unknown): string => {
  if (typeof id === 'string' && id !== '' && Buffer.byteLength(id) <= recordIdBytesMax) return id
  throw new AppError('invalid', 'bad-request', `The id of a record has 1 to ${recordIdBytesMax} bytes.`)
}

export const recordId = (module: string, record: string, id: string): string => `${module}/${record}/${id}`
export const playerDataId = (module: string, playerId: string): string => `${module}/${playerId}`
export const stateId = (module: string, worldId: string): string => `${module}/${worldId}`

/** A stored value with its declaration. */
export type DataKey = { readonly collection: Collection<unknown>; readonly id: string; readonly kind: DataKind }

/** A value that was read. `dataVersion` is the version of its declaration, `version` changes with each write. */
export type DataRecord = { readonly value: unknown; readonly version: Version; readonly dataVersion: number }

/** A value that could not be read and was set aside. */
export type SetAside = { readonly collection: string; readonly id: string; readonly fault: string }

export type DataWrite = DataKey & Precondition & ({ readonly value: unknown } | { readonly delete: true })

export type DataPage = {
  readonly records: readonly { readonly id: string; readonly value: unknown; readonly version: Version }[]
  readonly nextCursor?: string
}

/**
 * The stored values of modules. Writes are durable when they resolve. Throws AppError `conflict` `changed-since` if a version does not
 * match, `unprocessable` for a value that does not fit, `too-large`, and `unavailable`.
 */
export type ModuleData = {
  /** Sets a value aside that cannot be read, and returns undefined. */
  read(key: DataKey): Promise<DataRecord | undefined>
  put(key: DataKey, value: unknown, when?: Precondition): Promise<Version>
  /** Returns whether there was a value. */
  delete(key: DataKey, when?: Precondition): Promise<boolean>
  /** Values whose ids start with the id of `key`, in the order of their ids. `id` is the rest. Leaves out what it sets aside. */
  list(key: DataKey, options: { readonly prefix?: string; readonly limit?: number; readonly cursor?: string }): Promise<DataPage>
  /** 1 to 10 writes, all or nothing. Returns the new versions, `null` for deletions. */
  commit(writes: readonly DataWrite[]): Promise<readonly (Version | null)[]>
}

export type ModuleDataDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
  /** Called for each value that was set aside. */
  readonly report: (aside: SetAside) => void
}

const toChangedSince = (error: unknown): unknown =>
  error instanceof AppError && error.kind === 'conflict' && error.slug !== 'lease-lost'
    ? new AppError('conflict', 'changed-since', 'A value was changed since it was read. Nothing was written.', { cause: error })
    : error

const toWrite = (write: DataWrite): Write => {
  const { collection, id, kind, ifVersion } = write
  const when = ifVersion === undefined ? {} : { ifVersion }
  if ('delete' in write) return { kind: 'delete', collection: collection.name, id, ...when }
  return putWrite(collection, id, kind.encode(write.value), when)
}

export const createModuleData = ({ store, clock, ids, report }: ModuleDataDeps): ModuleData => {
  /** Moves a value out of the way in one commit. A concurrent write wins: then there is a readable value, or the next read repeats. */
  const setAside = async ({ collection, id }: DataKey, stored: unknown, version: Version, fault: string): Promise<void> => {
    const aside = { collection: collection.name, id, at: new Date(clock.now()).toISOString(), fault, stored }
    try {
      await store.commit([
        putWrite(moduleSetAside, `${collection.name}/${id}/${ids.uuid()}`, aside, { ifVersion: null }),
        { kind: 'delete', collection: collection.name, id, ifVersion: version },
      ])
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return
      throw error
    }
    report({ collection: collection.name, id, fault })
  }

  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      throw toChangedSince(error)
    }
  }

  return {
    read: async (key) => {
      const stored = await store.get(key.collection, key.id)
      if (stored === undefined) return undefined
      const reading = key.kind.read(stored.value)
      if (reading.ok) return { value: reading.value, version: stored.version, dataVersion: reading.version }
      await setAside(key, stored.value, stored.version, reading.fault)
      return undefined
    },
    put: ({ collection, id, kind }, value, when) => write(async () => store.put(collection, id, kind.encode(value), when)),
    delete: ({ collection, id }, when) => write(() => store.delete(collection, id, when)),
    list: async (key, { prefix = '', ...options }) => {
      const { records, ...next } = await store.list(key.collection, { prefix: key.id + prefix, ...options })
      const readable = []
      for (const { id, value: stored, version } of records) {
        const reading = key.kind.read(stored)
        if (reading.ok) readable.push({ id: id.slice(key.id.length), value: reading.value, version })
        else await setAside({ collection: key.collection, kind: key.kind, id }, stored, version, reading.fault)
      }
      return { records: readable, ...next }
    },
    commit: (writes) => write(async () => store.commit(writes.map(toWrite))),
  }
}
