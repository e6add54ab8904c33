import { createRecordStore, type StoredText } from './record-store.ts'
import type { Store } from './store.ts'
import { meetsPrecondition } from './store-rules.ts'

type Entry = StoredText & { readonly bytes: Buffer }

/** A Store in the memory of this process, for tests and for parts without a disk. A list sorts its collection. */
export const createMemoryStore = (): Store => {
  const collections = new Map<string, Map<string, Entry>>()
  let versionsGiven = 0

  const entriesOf = (collection: string): Map<string, Entry> => {
    const entries = collections.get(collection) ?? new Map<string, Entry>()
    collections.set(collection, entries)
    return entries
  }

  return createRecordStore({
    newVersion: () => {
      versionsGiven += 1
      return String(versionsGiven)
    },
    read: async (collection, id) => entriesOf(collection).get(id),
    readRange: async (collection, { prefix, limit, after, descending }) => {
      const direction = descending ? -1 : 1
      return [...entriesOf(collection).values()]
        .filter(({ bytes }) => bytes.subarray(0, prefix.length).equals(prefix))
        .filter(({ bytes }) => after === undefined || direction * bytes.compare(after) > 0)
        .sort((a, b) => direction * a.bytes.compare(b.bytes))
        .slice(0, limit + 1)
    },
    apply: async (writes) => {
      if (!writes.every((write) => meetsPrecondition(write, entriesOf(write.collection).get(write.id)?.version))) return undefined
      return writes.map((write) => {
        const { collection, id, kind } = write
        const entries = entriesOf(collection)
        const existed = entries.has(id)
        if (kind === 'delete') entries.delete(id)
        if (kind === 'put') entries.set(id, { id, version: write.version, text: write.text, bytes: Buffer.from(id, 'utf8') })
        return existed
      })
    },
    close: async () => collections.clear(),
  })
}
