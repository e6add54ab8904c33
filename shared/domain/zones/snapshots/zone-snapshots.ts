import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type Ids, isUuid } from '../../../kernel/ids.ts'
import { letOthersWork } from '../../../kernel/turns.ts'
import { putWrite, type Store, type StoredRecord, type Version } from '../../../platform/storage/store.ts'
import { type AuditActor, createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import type { ChunkRecord } from '../../worlds/store/chunk-store.ts'
import { foundZones } from '../zone.ts'
import {
  type StoredSnapshot,
  snapshotMissing,
  snapshotParts,
  snapshotRecords,
  snapshotsMax,
  tooManySnapshots,
  viewSnapshot,
  type ZoneSnapshot,
} from './snapshot.ts'

/** The facts about a snapshot before its blocks are known. */
export type SnapshotFacts = Pick<StoredSnapshot, 'id' | 'zone' | 'name' | 'at' | 'by' | 'yMin' | 'yMax'>

/** Writes a snapshot. */
export type SnapshotWriter = {
  /** Adds a complete column, with the number of its blocks in the zone. */
  add(column: ChunkRecord, blocks: number): Promise<void>
  /** Makes the snapshot visible and durable. Throws AppError `conflict` if another attempt has started since then. */
  finish(): Promise<ZoneSnapshot>
  /** Removes the parts of this attempt only. */
  giveUp(): Promise<void>
}

/** The snapshots of zones, in a Store. They outlive their zone for as long as its deletion can be undone. */
export type ZoneSnapshots = {
  /** Newest first. */
  list(zone: string): Promise<readonly ZoneSnapshot[]>
  /** Throws AppError `not-found`. */
  get(zone: string, id: string): Promise<StoredSnapshot>
  /** Throws AppError `conflict`, slug `too-many-snapshots`, if the zone has the maximum number of snapshots. */
  refuseFull(zone: string): Promise<void>
  /** The columns of a snapshot, part by part, from part `from` on. Throws AppError `unavailable` if a part is missing or damaged. */
  readParts(snapshot: StoredSnapshot, from?: number): AsyncIterable<readonly ChunkRecord[]>
  /** Starts a snapshot. Replaces what an earlier attempt left. */
  write(facts: SnapshotFacts): Promise<SnapshotWriter>
  /** Audited; throws AppError `not-found`. */
  remove(actor: AuditActor, zone: string, id: string): Promise<void>
  /** Removes interrupted snapshots, and those whose zone was deleted long enough ago. Stops when `isOver` returns true. */
  sweep(isOver: () => boolean): Promise<void>
}

type ZoneSnapshotsDeps = {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  /** How long snapshots outlive their zone: as long as its deletion can be undone. */
  readonly keptDays: () => number
}

const dayMs = 86_400_000
/** Before compression. Compressed and as text, a part always fits into a record. */
const partBytes = 192 * 1024
const readAtOnce = 1000
const sweptAtOnce = 20

const recordId = ({ zone, id }: Pick<StoredSnapshot, 'zone' | 'id'>): string => `${zone}/${id}`
const partsPrefix = ({ attempt, ...of }: Pick<StoredSnapshot, 'zone' | 'id' | 'attempt'>): string =>
  attempt === undefined ? `${recordId(of)}/` : `${recordId(of)}/${attempt}/`
const partId = (of: Pick<StoredSnapshot, 'zone' | 'id' | 'attempt'>, part: number): string =>
  partsPrefix(of) + String(part).padStart(6, '0')

const damaged = (cause?: unknown): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The snapshot was deleted or is damaged.', { cause })

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** cx, cz and the number of bytes that follow, each in 32 bits, little-endian. */
const headBytes = 12

/** Columns as one compressed text. */
const packColumns = async (columns: readonly ChunkRecord[]): Promise<string> => {
  const pieces = columns.flatMap(({ cx, cz, bytes }) => {
    const head = Buffer.alloc(headBytes)
    head.writeInt32LE(cx, 0)
    head.writeInt32LE(cz, 4)
    head.writeUInt32LE(bytes.length, 8)
    return [head, bytes]
  })
  return (await deflate(Buffer.concat(pieces))).toString('base64')
}

/** The columns of a text from `packColumns`. Throws for any other text. */
const unpackColumns = async (text: string): Promise<readonly ChunkRecord[]> => {
  const packed = await inflate(Buffer.from(text, 'base64'))
  const columns: ChunkRecord[] = []
  for (let at = 0; at < packed.length; ) {
    const [cx, cz, length] = [packed.readInt32LE(at), packed.readInt32LE(at + 4), packed.readUInt32LE(at + 8)]
    at += headBytes
    if (at + length > packed.length) throw new RangeError('The part ends in the middle of a column.')
    columns.push({ cx, cz, bytes: packed.subarray(at, at + length) })
    at += length
  }
  return columns
}

export const createZoneSnapshots = (deps: ZoneSnapshotsDeps): ZoneSnapshots => {
  const { store, clock, ids, keptDays } = deps

  const find = async (zone: string, id: string): Promise<StoredRecord<StoredSnapshot>> => {
    const isThere = isUuid(id) && isUuid(zone)
    const stored = isThere ? await store.get(snapshotRecords, recordId({ zone, id: id.toLowerCase() })) : undefined
    if (stored?.value.isWhole !== true) throw snapshotMissing()
    return stored
  }
  const listWhole = async (zone: string): Promise<StoredSnapshot[]> => {
    const { records } = await store.list(snapshotRecords, { prefix: `${zone}/`, limit: readAtOnce, order: 'descending' })
    return records.flatMap(({ value }) => (value.isWhole ? [value] : []))
  }
  const discardParts = async (prefix: string): Promise<void> => {
    for (;;) {
      const { records } = await store.list(snapshotParts, { prefix, limit: sweptAtOnce })
      if (records.length === 0) return
      for (const { id } of records) await store.delete(snapshotParts, id)
    }
  }
  /** Deletes the record last, so that an interrupted deletion is found again. */
  const discard = async ({ zone, id }: Pick<StoredSnapshot, 'zone' | 'id'>): Promise<void> => {
    await discardParts(partsPrefix({ zone, id }))
    await store.delete(snapshotRecords, recordId({ zone, id }))
  }

  const createWriter = (begun: StoredSnapshot, version: Version): SnapshotWriter => {
    let waiting: ChunkRecord[] = []
    let [waitingBytes, parts, blocks, sizeBytes] = [0, 0, 0, 0]
    const putPart = async (): Promise<void> => {
      const columns = await packColumns(waiting)
      await store.put(snapshotParts, partId(begun, parts), { columns })
      sizeBytes += columns.length
      parts += 1
      waiting = []
      waitingBytes = 0
    }
    return {
      add: async (column, of) => {
        if (waiting.length > 0 && waitingBytes + column.bytes.length > partBytes) await putPart()
        waiting.push(column)
        waitingBytes += column.bytes.length
        blocks += of
      },
      finish: async () => {
        if (waiting.length > 0) await putPart()
        const whole = { ...begun, parts, blocks, sizeBytes, isWhole: true }
        await store.put(snapshotRecords, recordId(begun), whole, { ifVersion: version })
        return viewSnapshot(whole)
      },
      giveUp: async () => {
        await discardParts(partsPrefix(begun))
        await store.delete(snapshotRecords, recordId(begun), { ifVersion: version })
      },
    }
  }

  const readPart = async (of: StoredSnapshot, part: number): Promise<readonly ChunkRecord[]> => {
    const stored = await store.get(snapshotParts, partId(of, part))
    if (stored === undefined) throw damaged()
    return unpackColumns(stored.value.columns).catch((cause: unknown) => {
      throw damaged(cause)
    })
  }

  const sweepOne = async ({ id, value, version }: StoredRecord<StoredSnapshot>): Promise<void> => {
    const isOlder = (at: string, days: number): boolean => clock.now() - Date.parse(at) > days * dayMs
    if (!value.isWhole && isOlder(value.at, 1)) return discard(value)
    const isLost = (await store.get(foundZones, value.zone)) === undefined
    const { lostSince, ...kept } = value
    if (isLost && lostSince !== undefined && isOlder(lostSince, keptDays())) return discard(value)
    if (isLost === (lostSince !== undefined)) return
    const next = isLost ? { ...kept, lostSince: new Date(clock.now()).toISOString() } : kept
    await store.put(snapshotRecords, id, next, { ifVersion: version })
  }

  return {
    list: async (zone) => (await listWhole(zone)).map(viewSnapshot),
    get: async (zone, id) => (await find(zone, id)).value,
    refuseFull: async (zone) => {
      if ((await listWhole(zone)).length >= snapshotsMax) throw tooManySnapshots()
    },
    readParts: async function* (snapshot, from = 0) {
      for (let part = from; part < snapshot.parts; part += 1) yield await readPart(snapshot, part)
    },
    write: async (facts) => {
      await discard(facts)
      const begun = { ...facts, attempt: ids.uuid(), blocks: 0, sizeBytes: 0, parts: 0, isWhole: false }
      return createWriter(begun, await store.put(snapshotRecords, recordId(facts), begun))
    },
    remove: async (actor, zone, id) => {
      const { value, version } = await find(zone, id)
      const entry = { action: 'zone.snapshot-delete', target: zone, before: viewSnapshot(value), after: null }
      await store.commit([
        putWrite(snapshotRecords, recordId(value), { ...value, isWhole: false }, { ifVersion: version }),
        ...auditWrites(createAuditEntry(deps, actor, entry)),
      ])
      await discard(value)
    },
    sweep: async (isOver) => {
      let cursor: string | undefined
      do {
        const page = await store.list(snapshotRecords, { limit: sweptAtOnce, ...(cursor && { cursor }) })
        for (const record of page.records)
          await sweepOne(record).catch((error: unknown) => {
            // Another process has just changed it.
            if (!(error instanceof AppError && error.kind === 'conflict')) throw error
          })
        cursor = page.nextCursor
        await letOthersWork()
      } while (cursor !== undefined && !isOver())
    },
  }
}
