import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createCollection } from '../../../platform/storage/store.ts'

const Count = Type.Integer({ minimum: 0 })

const snapshotProperties = {
  id: Type.String({ format: 'uuid', description: 'That of the job that took it; ids sort by time.' }),
  name: Type.String(),
  at: Type.String({ format: 'date-time', description: 'The moment of the game that it holds.' }),
  by: Type.String({ description: 'A playerId.' }),
  blocks: Type.Integer({ minimum: 0, description: 'Blocks of the zone that are not air.' }),
  sizeBytes: Type.Integer({ minimum: 0, description: 'What it takes in the store.' }),
}

/** The blocks of a zone at one moment, as everybody sees it. */
export const ZoneSnapshot = ClosedObject(snapshotProperties)
export type ZoneSnapshot = Static<typeof ZoneSnapshot>

/** A snapshot as it is stored; its blocks are in parts beside it. */
export const StoredSnapshot = ClosedObject({
  ...snapshotProperties,
  zone: Type.String(),
  parts: Count,
  /** Which try has written it: another of the same job writes parts of its own. Absent in those of before 2026-11-26. */
  attempt: Type.Optional(Type.String()),
  /** Heights that the zone had. Absent in those of before 2026-11-26. */
  yMin: Type.Optional(Type.Integer()),
  yMax: Type.Optional(Type.Integer()),
  /** Not while it is being taken or deleted: then it is as if absent, and goes a day later where that was cut short. */
  isWhole: Type.Boolean(),
  /** When its zone was first seen to be gone. */
  lostSince: Type.Optional(Type.String({ format: 'date-time' })),
})
export type StoredSnapshot = Static<typeof StoredSnapshot>

/** By `<zone>/<snapshot>`. */
export const snapshotRecords = createCollection('zone-snapshots', StoredSnapshot)
/** By `<zone>/<snapshot>/<attempt>/<number>`. */
export const snapshotParts = createCollection('zone-snapshot-parts', ClosedObject({ columns: Type.String() }))

/** Snapshots that a zone may have. */
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

/** Heights that the zone had when the snapshot was taken and has now; the upper is below the lower where there are none. */
export const heightsOfBoth = ({ yMin, yMax }: Partial<Heights>, zone: Heights): Heights => ({
  yMin: Math.max(zone.yMin, yMin ?? zone.yMin),
  yMax: Math.min(zone.yMax, yMax ?? zone.yMax),
})

export const snapshotMissing = (): AppError => new AppError('not-found', 'not-found', 'The zone has no snapshot of that id.')

export const tooManySnapshots = (): AppError =>
  new AppError('conflict', 'too-many-snapshots', `The zone has ${snapshotsMax} snapshots, which is all it may have: delete one.`)
