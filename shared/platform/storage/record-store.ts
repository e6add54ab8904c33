import { AppError } from '../../kernel/errors.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import type { Collection, Store, StoredRecord, Version, Write } from './store.ts'
import { checkRecordKey, type ListRange, type PreparedWrite, pageOf, parseListOptions, prepareWrites } from './store-rules.ts'

/** A record as stored in an engine. Its value is JSON text. */
export type StoredText = { readonly id: string; readonly version: Version; readonly text: string }

/** The interface of an adapter. All arguments have been checked. */
export type RecordEngine = {
  /** A unique version. */
  newVersion(): Version
  read(collection: string, id: string): Promise<StoredText | undefined>
  /** In order. Returns one more than `limit` if there are more. */
  readRange(collection: string, range: ListRange): Promise<readonly StoredText[]>
  /**
   * Applies all writes, or none and returns undefined if a precondition is not met. For a single delete, the result says whether its
   * record existed. For other writes it has no meaning.
   */
  apply(writes: readonly PreparedWrite[]): Promise<readonly boolean[] | undefined>
  close(): Promise<void>
}

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('unavailable', 'service-unavailable', 'A stored record cannot be read.', { cause })
  }
}

const parseRecord = <T>(collection: Collection<T>, { id, version, text }: StoredText) => ({
  id,
  version,
  value: collection.parse(parseText(text)),
})

/** The number of characters to parse before other work gets its turn: some milliseconds. */
const parsedAtOnce = 262_144

const parseRecords = async <T>(collection: Collection<T>, stored: readonly StoredText[]) => {
  const records: StoredRecord<T>[] = []
  let parsed = 0
  for (const one of stored) {
    if (parsed > parsedAtOnce) {
      await letOthersWork()
      parsed = 0
    }
    parsed += one.text.length
    records.push(parseRecord(collection, one))
  }
  return records
}

/** A Store on an engine. Checks arguments, parses results, and refuses calls after `close`, which waits for earlier calls. */
export const createRecordStore = (engine: RecordEngine): Store => {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const whileOpen = async <T>(run: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new AppError('unavailable', 'service-unavailable', 'The record store is closed.')
    const answer = run()
    running.add(answer)
    try {
      return await answer
    } finally {
      running.delete(answer)
    }
  }

  const applyWrites = (writes: readonly Write[]) =>
    whileOpen(async () => {
      const prepared = prepareWrites(writes, engine.newVersion)
      const existed = await engine.apply(prepared)
      if (existed !== undefined)
        return { versions: prepared.map((write) => (write.kind === 'put' ? write.version : null)), existed }
      throw new AppError(
        'conflict',
        'conflict',
        'The record was changed by another request at the same time. Read it again and repeat.',
      )
    })

  return {
    get: (collection, id) =>
      whileOpen(async () => {
        checkRecordKey(collection.name, id)
        const stored = await engine.read(collection.name, id)
        return stored && parseRecord(collection, stored)
      }),
    put: async (collection, id, value, precondition) => {
      const { versions } = await applyWrites([{ kind: 'put', collection: collection.name, id, value, ...precondition }])
      return String(versions[0])
    },
    delete: async (collection, id, precondition) => {
      const { existed } = await applyWrites([{ kind: 'delete', collection: collection.name, id, ...precondition }])
      return existed.includes(true)
    },
    list: (collection, options = {}) =>
      whileOpen(async () => {
        const range = parseListOptions(collection.name, options)
        const { items, ...next } = pageOf(await engine.readRange(collection.name, range), range.limit)
        return { records: await parseRecords(collection, items), ...next }
      }),
    commit: async (writes) => (await applyWrites(writes)).versions,
    close: () => {
      closing ??= Promise.allSettled(running).then(() => engine.close())
      return closing
    },
  }
}
