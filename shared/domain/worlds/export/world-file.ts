import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { WorldRecord } from '../world.ts'

/**
 * The format of an exported world. The file is compressed with gzip, numbers are little-endian:
 * - the magic text, the length of the header (u32), the header as JSON;
 * - the columns by cx, then cz, each as the length of its record (u32, never 0), cx and cz (i32), and the record;
 * - the length 0, the number of columns (u64), and the SHA-256 of all bytes before it.
 */
export const worldFile = {
  magic: 'gatehouse world\n',
  /** Version 2 added the spawn to the header, version 3 the states of modules. */
  format: 3,
  formatWithoutModules: 2,
  headerBytesMax: 16 * 1024 * 1024,
  recordBytesMax: 8 * 1024 * 1024,
  columnHeadBytes: 12,
  countBytes: 8,
  digestBytes: 32,
} as const

/** Facts about the world. `chunkCount` is from the start of the export; the count at the end of the file is exact. */
export const WorldFileHeader = ClosedObject({
  format: Type.Integer({ minimum: 1 }),
  ...Type.Pick(WorldRecord, ['name', 'seed', 'generator', 'settings', 'createdAt', 'spawn']).properties,
  chunkCount: Type.Integer({ minimum: 0 }),
  /** The state of each module in this world, as stored. */
  modules: Type.Optional(
    Type.Record(Type.String(), ClosedObject({ version: Type.Integer({ minimum: 1 }), value: Type.Unknown() })),
  ),
})
export type WorldFileHeader = Static<typeof WorldFileHeader>

/** The refusal of a file that cannot be imported, with its fault and what to do. */
export const badWorldFile = (fault: string, cause?: unknown): AppError =>
  new AppError('invalid', 'bad-request', `The file cannot be imported: ${fault}`, { cause })
