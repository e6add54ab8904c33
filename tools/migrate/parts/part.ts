import { createHash } from 'node:crypto'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { SourcePlace, TargetPlace } from '../places/place.ts'

/** A count, and the SHA-256 of all items as hexadecimal digits. */
export type Digest = { readonly count: number; readonly sha256: string }

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** JSON with sorted keys, so that equal values have the same text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortKeys) ?? 'null'

/** The SHA-256 of bytes or text, as hexadecimal digits. */
export const sha256Of = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

/** Computes one checksum of many records in the order of their ids, without keeping them. */
type DigestMaker = {
  /** Adds a record. `counts` says whether the count includes it, and is true when absent. */
  add(id: string, content: Uint8Array | string, counts?: boolean): void
  end(): Digest
}

export const createDigest = (): DigestMaker => {
  const hash = createHash('sha256')
  let count = 0
  const addPart = (part: Uint8Array | string): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    hash.update(length).update(bytes)
  }
  return {
    add: (id, content, counts = true) => {
      addPart(id)
      addPart(content)
      if (counts) count += 1
    },
    end: () => ({ count, sha256: hash.digest('hex') }),
  }
}

/** A copy in progress, possibly repeated after a stop. */
export type Copying = {
  readonly source: SourcePlace
  readonly target: TargetPlace
  /** Whether the target may already have a part of the data. */
  readonly isResumed: boolean
  /** Called when `count` more items are durable in the target. */
  readonly onKept: (count: number) => void
  readonly leaseOf: (worldName: string) => WorldLease
  readonly complain: (text: string) => void
  /** Aborts when the user stops the run, or a lease is lost. */
  readonly signal: AbortSignal
}

/** Dependencies of a count or comparison. */
type Looking = {
  readonly onSeen: (count: number) => void
  readonly signal: AbortSignal
}

/** One kind of data, with all operations of its move. */
export type Part = {
  /** The name in the report. */
  readonly name: string
  count(place: SourcePlace): Promise<number>
  /** Makes the data in the target equal to the source. A repeated copy writes only the differences. */
  copy(copying: Copying): Promise<void>
  /** Reads all data, in the same order for every place. */
  digest(place: SourcePlace, looking: Looking): Promise<Digest>
}

/** A collection of the Store that is moved record by record. */
export type LastingCollection = {
  readonly name: string
  /** The name of its records in the report. */
  readonly what: string
  /** Which records the count includes; all when absent. */
  readonly counts?: (id: string) => boolean
}

/** The durable collections. Accounts and config texts are moved by content instead, because the data folder has files of them. */
export const lastingCollections: readonly LastingCollection[] = [
  { name: 'zones', what: 'zones' },
  { name: 'zone-guards', what: 'zone guards' },
  { name: 'zone-snapshots', what: 'snapshots of zones' },
  { name: 'zone-snapshot-parts', what: 'parts of snapshots' },
  { name: 'zone-resets', what: 'next resets of zones' },
  // Each is stored under all sanctions, again for its account, and again while it is active.
  { name: 'sanctions', what: 'sanctions', counts: (id) => id.startsWith('all/') },
  { name: 'sanction-changes', what: 'counts of changed sanctions' },
  { name: 'reports', what: 'reports', counts: (id) => id.startsWith('all/') },
  { name: 'chat', what: 'batches of chat lines' },
  { name: 'chat-tallies', what: 'sizes of the chat log' },
  { name: 'deleted-accounts', what: 'deleted accounts' },
  { name: 'departed-players', what: 'players without an account' },
  { name: 'invitations', what: 'invitations' },
  { name: 'reset-links', what: 'reset links' },
  { name: 'api-tokens', what: 'API tokens' },
  { name: 'api-token-owners', what: 'owners of API tokens' },
  { name: 'sign-ins', what: 'last sign-ins' },
  { name: 'failed-sign-ins', what: 'failed sign-ins' },
  { name: 'player-states', what: 'player states' },
  { name: 'player-ignores', what: 'ignored players' },
  { name: 'player-places', what: 'player places' },
  // Each entry is stored four times, for its filters.
  { name: 'audit', what: 'audit entries', counts: (id) => id.startsWith('all/') },
  { name: 'audit-groups', what: 'newest grouped audit entries' },
  { name: 'audit-tallies', what: 'sizes of the audit log' },
  { name: 'module-records', what: 'records of modules' },
  { name: 'module-players', what: 'data of players of modules' },
  { name: 'module-states', what: 'states of modules' },
  { name: 'module-set-aside', what: 'values of modules that were set aside' },
  { name: 'jobs', what: 'jobs' },
  { name: 'open-jobs', what: 'unfinished jobs' },
  { name: 'world-names', what: 'world names' },
  { name: 'worlds', what: 'worlds' },
]

/** The collections of config revisions. The active text is the newest of them in DynamoDB, and a file in the data folder. */
export const revisionCollections = ['config-revision-texts', 'config-revisions'] as const
