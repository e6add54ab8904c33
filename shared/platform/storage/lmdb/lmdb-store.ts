import { type Database, open, type RootDatabase } from 'lmdb'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { codeOf } from '../files/code-of.ts'
import { createRecordStore, type StoredText } from '../record-store.ts'
import type { Store, Version } from '../store.ts'
import { type ListRange, meetsPrecondition, type PreparedWrite } from '../store-rules.ts'
import { prepareLmdbFolder } from './lmdb-file.ts'
import { expectRoomForWrite, keptFree } from './lmdb-room.ts'

export type LmdbStoreOptions = {
  /** The folder of the environment; created if absent. */
  readonly path: string
  /** Makes versions. */
  readonly ids: Pick<Ids, 'uuid'>
  /** Never writes; false when absent. */
  readonly isReadOnly?: boolean
}

type Records = Database<string, Buffer>

/** Sorts before all records, because names of collections do not start with NUL. */
const formatKey = Buffer.from('\0format')
const format = 'gatehouse records 1'

const keyOf = (collection: string, id: string): Buffer => Buffer.from(`${collection}\0${id}`, 'utf8')
const idOf = (collection: string, key: Uint8Array): string => Buffer.from(key).toString('utf8', collection.length + 1)

const encodeEntry = (version: Version, text: string): string => `${version}\n${text}`
const decodeEntry = (id: string, entry: string): StoredText => {
  const end = entry.indexOf('\n')
  return { id, version: entry.slice(0, end), text: entry.slice(end + 1) }
}

/** The first key after all keys that start with `start`: the last byte plus one. UTF-8 has no byte 0xff. */
const endOf = (start: Buffer): Buffer => {
  const end = Buffer.from(start)
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1
  return end
}

const rangeOf = (collection: string, { prefix, limit, after, descending }: ListRange) => {
  const base = keyOf(collection, '')
  const first = Buffer.concat([base, prefix])
  const end = endOf(first)
  const passed = after && Buffer.concat([base, after])
  if (descending) {
    const start = passed !== undefined && passed.compare(end) < 0 ? passed : end
    return { start, exclusiveStart: true, end: first, inclusiveEnd: true, reverse: true, limit: limit + 1 }
  }
  const goesOn = passed !== undefined && passed.compare(first) >= 0
  return { start: goesOn ? passed : first, exclusiveStart: goesOn, end, limit: limit + 1 }
}

const rethrowUnavailable = (cause: unknown): never => {
  throw new AppError('unavailable', 'service-unavailable', 'The record store does not answer.', { cause })
}

/** A failed commit has its reason in a separate promise, which ends the process if nothing handles it. */
const rethrowCommitFailure = async (failure: unknown): Promise<never> => {
  const reason = typeof failure === 'object' && failure !== null && 'commitError' in failure ? failure.commitError : failure
  return rethrowUnavailable(await Promise.resolve(reason).catch((error: unknown) => error))
}

const markFormat = (records: Records): void => {
  const storedFormat = records.get(formatKey)
  if (storedFormat === format) return
  if (storedFormat !== undefined || records.getKeysCount({ limit: 1 }) > 0)
    throw new Error('the LMDB environment contains other data')
  records.putSync(formatKey, format)
}

const checkFormat = (records: Records): void => {
  if (records.get(formatKey) !== format) throw new Error('the LMDB environment contains other data')
}

const openRecords = (path: string, isReadOnly: boolean): RootDatabase<string, Buffer> => {
  let records: RootDatabase<string, Buffer> | undefined
  try {
    prepareLmdbFolder(path)
    // Without overlapping sync, a commit is on disk when it resolves, and no reader sees data that could still be lost. Without
    // batching by turns, there is no internal promise that cannot be caught: one failed commit would end the process.
    records = open<string, Buffer>({
      path,
      noSubdir: false,
      overlappingSync: false,
      eventTurnBatching: false,
      encoding: 'string',
      keyEncoding: 'binary',
      readOnly: isReadOnly,
    })
    const opened = records
    if (isReadOnly) checkFormat(opened)
    else {
      opened.transactionSync(() => markFormat(opened))
      // The first read registers this process's id for other processes that open the folder. See refuseSameProcessId.
      checkFormat(opened)
    }
    return opened
  } catch (cause) {
    records?.close().catch(() => undefined)
    if (cause instanceof AppError) throw cause
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'The record store cannot be opened: its folder is damaged, not writable, or not from Gatehouse. Fix its permissions, restore it from a backup, or move it away to start with an empty one.',
      { cause },
    )
  }
}

/** An upper bound of their size in UTF-8, with two pages for each. */
const bytesOf = (writes: readonly PreparedWrite[]): number =>
  writes.reduce((sum, write) => sum + 8192 + (write.kind === 'put' ? 4 * write.text.length : 0), 0)

const expectRoom = (path: string, bytes: number): void => {
  try {
    expectRoomForWrite(path, bytes, keptFree.forRecords)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOSPC') rethrowUnavailable(cause)
    const detail = 'The disk of the data folder is full (4 MiB are kept free). Nothing was written. Free some space.'
    throw new AppError('unavailable', 'service-unavailable', detail, { cause })
  }
}

/** Runs in its own write transaction, which is rolled back if it throws. */
const applyWrites = (records: Records, writes: readonly PreparedWrite[]): readonly boolean[] | undefined => {
  const states = writes.map((write) => {
    const key = keyOf(write.collection, write.id)
    const entry = records.get(key)
    return { write, key, current: entry === undefined ? undefined : decodeEntry(write.id, entry).version }
  })
  if (!states.every(({ write, current }) => meetsPrecondition(write, current))) return undefined
  for (const { write, key, current } of states) {
    if (write.kind === 'put') records.putSync(key, encodeEntry(write.version, write.text))
    else if (write.kind === 'delete' && current !== undefined) records.removeSync(key)
  }
  return states.map(({ current }) => current !== undefined)
}

/**
 * A Store in an LMDB environment. Several processes may have it open. Reads cost a memory look-up; concurrent writes share a
 * transaction and its sync. Throws AppError `unavailable` if the folder cannot be opened or has other data.
 */
export const createLmdbStore = ({ path, ids, isReadOnly = false }: LmdbStoreOptions): Store => {
  const records = openRecords(path, isReadOnly)
  let bytesUnderWay = 0

  /**
   * Starts a new snapshot, because another process may have committed. Otherwise a snapshot lasts until the end of the event loop turn.
   */
  const readFresh = <T>(read: () => T): T => {
    try {
      records.resetReadTxn()
      return read()
    } catch (cause) {
      return rethrowUnavailable(cause)
    }
  }

  return createRecordStore({
    newVersion: () => ids.uuid(),
    read: async (collection, id) => {
      const entry = readFresh(() => records.get(keyOf(collection, id)))
      return entry === undefined ? undefined : decodeEntry(id, entry)
    },
    readRange: async (collection, range) =>
      readFresh(() =>
        [...records.getRange(rangeOf(collection, range))].map(({ key, value }) => decodeEntry(idOf(collection, key), value)),
      ),
    apply: async (writes) => {
      const bytes = bytesOf(writes)
      // Counts pending writes, because concurrent ones do not reduce the free space before their commit.
      expectRoom(path, bytesUnderWay + bytes)
      bytesUnderWay += bytes
      try {
        return await records.childTransaction(() => applyWrites(records, writes)).catch(rethrowCommitFailure)
      } finally {
        bytesUnderWay -= bytes
      }
    },
    close: () => records.close(),
  })
}
