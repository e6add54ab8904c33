import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { createCollection, putWrite, type Store, type StoredRecord, type Write } from '../../../platform/storage/store.ts'
import { type ConfigRevision, revisionsMax } from './config-files.ts'

const Entry = Type.Object({
  revision: Type.String(),
  etag: Type.String(),
  savedAt: Type.String(),
  savedBy: Type.String(),
  /** The number of records of its text. */
  parts: Type.Integer({ minimum: 1 }),
})
const entries = createCollection('config-revisions', Entry)
const texts = createCollection('config-revision-texts', Type.Object({ part: Type.String() }))

/** A saved text, in the order of saves. */
export type SavedText = ConfigRevision & { readonly etag: string }

export type TextToKeep = { readonly bytes: Uint8Array; readonly etag: string; readonly savedAt: string; readonly savedBy: string }

/** The texts of a config file over time, including the active one: 21 for each file. */
export type RevisionLog = {
  /** The newest with its text. Throws AppError `unavailable` if the text was removed during the read. */
  findNewest(name: string): Promise<(SavedText & { readonly bytes: Buffer }) | undefined>
  /** Newest first. */
  list(name: string): Promise<readonly SavedText[]>
  find(name: string, revision: string): Promise<Buffer | undefined>
  /**
   * Adds a text and removes the oldest; durable when it resolves. If the text is already the newest, it only updates that entry and returns
   * false. Throws AppError `conflict` if another process appends at the same moment, or if the newest is not `onTopOf` (`null`: none).
   */
  append(name: string, text: TextToKeep, onTopOf?: string | null): Promise<boolean>
  /** Moves a stored text to the top, unchanged. */
  raise(name: string, revision: string): Promise<void>
  /** Removes the newest text again. */
  dropNewest(name: string): Promise<void>
}

const keptMax = revisionsMax + 1
/**
 * A record of DynamoDB may have 409,600 bytes, and a commit ten writes. 1 MiB of incompressible text makes four parts. To add a text and
 * remove the oldest one takes ten writes: eight parts and two entries.
 */
const partChars = 360_000
const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

const splitText = async (bytes: Uint8Array): Promise<string[]> => {
  const packed = (await compress(bytes)).toString('base64')
  return Array.from({ length: Math.ceil(packed.length / partChars) }, (_, at) =>
    packed.slice(at * partChars, (at + 1) * partChars),
  )
}

const entryId = (name: string, order: number): string => `${name}/${String(order).padStart(12, '0')}`
const orderOf = (record: StoredRecord<unknown> | undefined): number => Number(record?.id.split('/').at(-1) ?? 0)
const partId = (revision: string, part: number): string => `${revision}/${part}`

const notNewest = (): AppError =>
  new AppError('conflict', 'conflict', 'Another admin saved this file at the same time. Read it again, then repeat your change.')

const removalOf = ({ id, version, value }: StoredRecord<typeof Entry.static>): Write[] => [
  { kind: 'delete', collection: entries.name, id, ifVersion: version },
  ...Array.from(
    { length: value.parts },
    (_, part): Write => ({ kind: 'delete', collection: texts.name, id: partId(value.revision, part) }),
  ),
]

/** A RevisionLog in a Store, with compressed texts in records small enough for any Store. */
export const createRevisionLog = (store: Store, ids: Pick<Ids, 'uuid'>): RevisionLog => {
  const listRecords = async (name: string) =>
    (await store.list(entries, { prefix: `${name}/`, limit: keptMax + 1, order: 'descending' })).records

  const readText = async ({ revision, parts }: typeof Entry.static): Promise<Buffer | undefined> => {
    const records = await Promise.all(Array.from({ length: parts }, (_, part) => store.get(texts, partId(revision, part))))
    // A save may have removed the oldest text between the two reads.
    if (records.includes(undefined)) return undefined
    return decompress(Buffer.from(records.map((record) => record?.value.part ?? '').join(''), 'base64'))
  }

  return {
    findNewest: async (name) => {
      const [newest] = (await store.list(entries, { prefix: `${name}/`, limit: 1, order: 'descending' })).records
      if (newest === undefined) return undefined
      const bytes = await readText(newest.value)
      if (bytes === undefined)
        throw new AppError('unavailable', 'service-unavailable', `Too many saves of ${name} at once. Try again in a moment.`, {
          retryAfterSeconds: 1,
        })
      const { parts: _, ...saved } = newest.value
      return { ...saved, bytes }
    },
    list: async (name) => (await listRecords(name)).slice(0, keptMax).map(({ value: { parts: _, ...saved } }) => saved),
    find: async (name, revision) => {
      const found = (await listRecords(name)).find(({ value }) => value.revision === revision)?.value
      return found && readText(found)
    },
    append: async (name, { bytes, ...saved }, onTopOf) => {
      const records = await listRecords(name)
      const newest = records[0]
      if (onTopOf !== undefined && onTopOf !== (newest?.value.revision ?? null)) throw notNewest()
      if (newest?.value.etag === saved.etag) {
        await store.put(entries, newest.id, { ...newest.value, ...saved }, { ifVersion: newest.version })
        return false
      }
      const parts = await splitText(bytes)
      const revision = ids.uuid()
      const oldest = records.length >= keptMax ? records.at(-1) : undefined
      await store.commit([
        putWrite(entries, entryId(name, orderOf(newest) + 1), { ...saved, revision, parts: parts.length }, { ifVersion: null }),
        ...parts.map((part, at) => putWrite(texts, partId(revision, at), { part })),
        ...(oldest ? removalOf(oldest) : []),
      ])
      return true
    },
    raise: async (name, revision) => {
      const records = await listRecords(name)
      const [newest] = records
      const found = records.find(({ value }) => value.revision === revision)
      if (found === undefined || newest === undefined || found === newest) return
      await store.commit([
        putWrite(entries, entryId(name, orderOf(newest) + 1), found.value, { ifVersion: null }),
        { kind: 'delete', collection: entries.name, id: found.id, ifVersion: found.version },
      ])
    },
    dropNewest: async (name) => {
      const newest = (await listRecords(name))[0]
      if (newest) await store.commit(removalOf(newest))
    },
  }
}

/**
 * The entry of the active text among the saved ones, by its tag. It is not always the newest: a process may have died between storing a
 * text and applying it, or a person may have restored an old file by hand. Undefined if the active text was never stored.
 */
export const findInForce = (saved: readonly SavedText[], etag: string | undefined): SavedText | undefined =>
  saved.find((one) => one.etag === etag)
