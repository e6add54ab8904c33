import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createCollection } from '../../../platform/storage/store.ts'

const Count = Type.Integer({ minimum: 0 })

const snapshotProperties = {
  id: Type.String({ format: 'uuid', description: 'The id of the job that took the snapshot. Ids sort by time.' }),
  name: Type.String(),
  at: Type.String({ format: 'date-time', description: 'The time of the snapshot.' }),
  by: Type.String({ description: 'A playerId.' }),
  blocks: Type.Integer({ minimum: 0, description: 'Blocks of the zone that are not air.' }),
  sizeBytes: Type.Integer({ minimum: 0, description: 'The size in the store.' }),
}

/** The blocks of a zone at one moment, as clients see it. */
export const ZoneSnapshot = ClosedObject(snapshotProperties)
export type ZoneSnapshot = Static<typeof ZoneSnapshot>

/** The stored record of a snapshot. Its blocks are in separate parts. */
export const StoredSnapshot = ClosedObject({
  ...snapshotProperties,
  zone: Type.String(),
  parts: Count,
  /** The attempt that wrote it. Each attempt of a job writes its own parts. Absent in snapshots from before 2026-11-26. */
  attempt: Type.Optional(Type.String()),
  /** The heights of the zone at the time. Absent in snapshots from before 2026-11-26. */
  yMin: Type.Optional(Type.Integer()),
  yMax: Type.Optional(Type.Integer()),
  /** False while the snapshot is being taken or deleted. Then it counts as absent, and is removed a day later if it stays so. */
  isWhole: Type.Boolean(),
  /** The time at which its zone was first found to be deleted. */
  lostSince: Type.Optional(Type.String({ format: 'date-time' })),
})
export type StoredSnapshot = Static<typeof StoredSnapshot>

/** By `<zone>/<snapshot>`. */
export const snapshotRecords = createCollection('zone-snapshots', StoredSnapshot)
/** By `<zone>/<snapshot>/<attempt>/<number>`. */
export const snapshotParts = createCollection('zone-snapshot-parts', ClosedObject({ columns: Type.String() }))

/** The maximum number of snapshots of a zone. */
export const snapshotsMax = 50

export const viewSnapshot = ({ id, name, at, by, blocks, sizeBytes }: StoredSnapshot): ZoneSnapshot => ({
  id,
  name,
  at,
  by,
  blocks,
  sizeBytes,
})

type Heights = { readonly yMin: number; readonly yMax: number }

/** The heights that the zone had at the snapshot and still has. The upper one is below the lower one if there are none. */
export const heightsOfBoth = ({ yMin, yMax }: Partial<Heights>, zone: Heights): Heights => ({
  yMin: Math.max(zone.yMin, yMin ?? zone.yMin),
  yMax: Math.min(zone.yMax, yMax ?? zone.yMax),
})

export const snapshotMissing = (): AppError => new AppError('not-found', 'not-found', 'The zone has no snapshot with that id.')

export const tooManySnapshots = (): AppError =>
  new AppError(
    'conflict',
    'too-many-snapshots',
    `The zone already has ${snapshotsMax} snapshots, which is the limit. Delete one first.`,
  )
