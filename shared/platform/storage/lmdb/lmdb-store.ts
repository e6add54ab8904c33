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
  /** The folder of the environment; made when absent. */
  readonly path: string
  /** Versions come from it. */
  readonly ids: Pick<Ids, 'uuid'>
  /** Opens what is there and never writes to it; false when absent. */
  readonly isReadOnly?: boolean
}

type Records = Database<string, Buffer>

/** Sorts before all records: no collection's name begins with NUL. */
const formatKey = Buffer.from('\0format')
const format = 'gatehouse records 1'

const keyOf = (collection: string, id: string): Buffer => Buffer.from(`${collection}\0${id}`, 'utf8')
const idOf = (collection: string, key: Uint8Array): string => Buffer.from(key).toString('utf8', collection.length + 1)

const encodeEntry = (version: Version, text: string): string => `${version}\n${text}`
const decodeEntry = (id: string, entry: string): StoredText => {
  const end = entry.indexOf('\n')
  return { id, version: entry.slice(0, end), text: entry.slice(end + 1) }
}

/** UTF-8 has no byte 0xff, so the first key past all that begin with `start` is `start` with its last byte one higher. */
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

/** A failed commit names its reason in a promise of its own, which ends the process when nobody listens to it. */
const rethrowCommitFailure = async (failure: unknown): Promise<never> => {
  const reason = typeof failure === 'object' && failure !== null && 'commitError' in failure ? failure.commitError : failure
  return rethrowUnavailable(await Promise.resolve(reason).catch((error: unknown) => error))
}

const markFormat = (records: Records): void => {
  const found = records.get(formatKey)
  if (found === format) return
  if (found !== undefined || records.getKeysCount({ limit: 1 }) > 0) throw new Error('the LMDB environment holds something else')
  records.putSync(formatKey, format)
}

const checkFormat = (records: Records): void => {
  if (records.get(formatKey) !== format) throw new Error('the LMDB environment holds something else')
}

const openRecords = (path: string, isReadOnly: boolean): RootDatabase<string, Buffer> => {
  let records: RootDatabase<string, Buffer> | undefined
  try {
    prepareLmdbFolder(path)
    // Without overlapping sync a commit is on disk when it resolves, and nobody reads what could still be lost.
    // Without batching by turns there is no promise inside that nobody can catch: one failed commit would end the process.
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
      // A first read makes this process known by its id to whoever opens the folder after it: see refuseSameProcessId.
      checkFormat(opened)
    }
    return opened
  } catch (cause) {
    records?.close().catch(() => undefined)
    if (cause instanceof AppError) throw cause
    throw new AppError(
      'unavailable',
      'service-unavailable',
      'The record store cannot be opened: its folder is damaged, not writable, or not of Gatehouse. Mend its rights, restore it from a backup, or move it away to begin with an empty one.',
      { cause },
    )
  }
}

/** More than they are in UTF-8, with two pages for each. */
const bytesOf = (writes: readonly PreparedWrite[]): number =>
  writes.reduce((sum, write) => sum + 8192 + (write.kind === 'put' ? 4 * write.text.length : 0), 0)

const expectRoom = (path: string, bytes: number): void => {
  try {
    expectRoomForWrite(path, bytes, keptFree.forRecords)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOSPC') rethrowUnavailable(cause)
    const detail =
      'There is no room left for records: 4 MiB are kept free. Nothing was written; make room on the disk of the data folder.'
    throw new AppError('unavailable', 'service-unavailable', detail, { cause })
  }
}

/** Runs in a write transaction of its own, which is undone when it throws. */
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
 * A Store in an LMDB environment, which several processes may have open at once. Reads cost a memory lookup; writes that are asked
 * for at once share a transaction and its sync. Throws AppError `unavailable` when the folder cannot be opened or is not a store's.
 */
export const createLmdbStore = ({ path, ids, isReadOnly = false }: LmdbStoreOptions): Store => {
  const records = openRecords(path, isReadOnly)
  let bytesUnderWay = 0

  /** Another process may have committed since this one's snapshot, which otherwise lives until the event loop turns. */
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
      // Together: none of those that are asked for at once takes anything from what is free before their commit.
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
