import type { Collection, Store, StoredRecord } from '../../../shared/platform/storage/store.ts'
import { type Copying, canonicalJson, createDigest, type LastingCollection, type Part } from './part.ts'

/** Values as stored, without interpretation by this version. */
const rawCollection = (name: string): Collection<unknown> => ({ name, parse: (stored) => stored })

const pageLimit = 500

/** All records of a collection in the order of their ids. */
export async function* listRecords<T>(
  store: Pick<Store, 'list'>,
  collection: Collection<T>,
): AsyncGenerator<StoredRecord<T>, void> {
  let cursor: string | undefined
  do {
    const page = await store.list(collection, { limit: pageLimit, ...(cursor !== undefined && { cursor }) })
    yield* page.records
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** Whether a collection has no records. */
export const isEmpty = async (store: Pick<Store, 'list'>, name: string): Promise<boolean> =>
  (await store.list(rawCollection(name), { limit: 1 })).records.length === 0

type Stored = StoredRecord<unknown>
type Change = { readonly id: string; readonly value: unknown } | { readonly gone: string }

/** Concurrent changes: a store in LMDB shares one sync among them, DynamoDB its latency. */
const changesAtOnce = 64

/** The order of ids in every Store. */
const compareIds = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Steps through the records of the target. */
const createReader = (records: AsyncGenerator<Stored, void>) => {
  let next: Stored | undefined
  let hasBegun = false
  const step = async () => {
    const { done, value } = await records.next()
    next = done ? undefined : value
  }
  return {
    peek: async (): Promise<Stored | undefined> => {
      if (!hasBegun) await step()
      hasBegun = true
      return next
    },
    step,
  }
}

/** The changes that make the target's records equal to the source's, for each id of the source, and at the end with `id` empty. */
async function* findChanges(
  { source, target, signal }: Pick<Copying, 'source' | 'target' | 'signal'>,
  name: string,
): AsyncGenerator<{ readonly id: string; readonly changes: readonly Change[] }, void> {
  const collection = rawCollection(name)
  const there = createReader(listRecords(target.store, collection))
  const takeGone = async (isGone: (id: string) => boolean): Promise<Change[]> => {
    const gone: Change[] = []
    for (let found = await there.peek(); found !== undefined && isGone(found.id); found = await there.peek()) {
      gone.push({ gone: found.id })
      await there.step()
    }
    return gone
  }
  for await (const { id, value } of listRecords(source.store, collection)) {
    signal.throwIfAborted()
    const changes = await takeGone((found) => compareIds(found, id) < 0)
    const found = await there.peek()
    if (found?.id === id) await there.step()
    const isSame = found?.id === id && canonicalJson(found.value) === canonicalJson(value)
    yield { id, changes: isSame ? changes : [...changes, { id, value }] }
  }
  for (const change of await takeGone(() => true)) yield { id: '', changes: [change] }
}

/** Makes a collection of the target equal to the source's. Equal records are not written. */
export const copyRecords = async (
  copying: Pick<Copying, 'source' | 'target' | 'signal' | 'onKept'>,
  { name, counts = () => true }: Pick<LastingCollection, 'name' | 'counts'>,
): Promise<void> => {
  const { store } = copying.target
  const collection = rawCollection(name)
  const make = async (change: Change): Promise<unknown> =>
    'gone' in change ? store.delete(collection, change.gone) : store.put(collection, change.id, change.value)
  let waiting: Change[] = []
  let [seen, counted] = [0, 0]
  const flush = async () => {
    await Promise.all(waiting.map(make))
    waiting = []
    copying.onKept(counted)
    ;[seen, counted] = [0, 0]
  }
  for await (const { id, changes } of findChanges(copying, name)) {
    waiting.push(...changes)
    seen += 1
    if (id !== '' && counts(id)) counted += 1
    if (waiting.length >= changesAtOnce || seen >= changesAtOnce * 8) await flush()
  }
  await flush()
}

const countRecords = async (store: Pick<Store, 'list'>, { name, counts = () => true }: LastingCollection): Promise<number> => {
  let count = 0
  for await (const { id } of listRecords(store, rawCollection(name))) if (counts(id)) count += 1
  return count
}

/** The records of a collection, moved unchanged. */
export const recordsPart = (lasting: LastingCollection): Part => ({
  name: lasting.what,
  count: ({ store }) => countRecords(store, lasting),
  copy: (copying) => copyRecords(copying, lasting),
  digest: async ({ store }, { onSeen, signal }) => {
    const { name, counts = () => true } = lasting
    const digest = createDigest()
    for await (const { id, value } of listRecords(store, rawCollection(name))) {
      signal.throwIfAborted()
      digest.add(id, canonicalJson(value), counts(id))
      if (counts(id)) onSeen(1)
    }
    return digest.end()
  },
})
