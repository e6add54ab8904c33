import { AppError } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import { type ChunkBox, type ChunkPos, chunkMax, chunkMin, isChunkPos } from '../../../rules/positions.ts'
import { WorldName } from '../world.ts'
import type { ChunkRecord, WorldRef } from './chunk-store.ts'

const parseWorldName = createParser(WorldName)

const invalid = (detail: string): AppError => new AppError('invalid', 'bad-request', detail)

/** Throws AppError `invalid` unless the name is valid for a world, because it may become the name of a folder. */
export const checkWorld = ({ name }: WorldRef): void => {
  if (!parseWorldName(name).ok) throw invalid('The name of a world has 1 to 64 letters, digits, dashes and underscores.')
}

/** Throws AppError `invalid` unless the fence is a safe integer of at least 0. */
export const checkFence = (fence: number): void => {
  if (!Number.isSafeInteger(fence) || fence < 0) throw invalid('The fence of a lease must be a whole number of at least 0.')
}

/** Throws AppError `invalid` unless a column can be at this position. */
export const checkChunkPos = (pos: ChunkPos): void => {
  if (!isChunkPos(pos)) throw invalid(`The coordinates of a column must be whole numbers in ${chunkMin}…${chunkMax}.`)
}

/** Throws AppError `invalid` unless all records can be written. */
export const checkPutMany = (records: readonly ChunkRecord[], fence: number): void => {
  checkFence(fence)
  for (const record of records) {
    checkChunkPos(record)
    if (record.bytes.length === 0) throw invalid('The record of a column is empty.')
  }
}

/** The part of a box within the world. Its minimum is above its maximum if nothing is left. */
export const clipBox = (box: ChunkBox | undefined): ChunkBox => ({
  minCx: Math.max(chunkMin, Math.ceil(box?.minCx ?? chunkMin)),
  maxCx: Math.min(chunkMax, Math.floor(box?.maxCx ?? chunkMax)),
  minCz: Math.max(chunkMin, Math.ceil(box?.minCz ?? chunkMin)),
  maxCz: Math.min(chunkMax, Math.floor(box?.maxCz ?? chunkMax)),
})

/** The refusal of a write with the fence of a lost lease. */
export const leaseLost = (): AppError =>
  new AppError('conflict', 'lease-lost', 'Another node has taken over this world. Nothing was written.')

/** The refusal of a write while the lease is in doubt. This ends with the next renewal. */
export const leaseInDoubt = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The lease of this world cannot be renewed. Nothing was written.', {
    retryAfterSeconds: 1,
  })

/** `fault` says why the chunks of the world are unusable, `fix` what to do about it. */
export const worldUnusable = ({ name }: WorldRef, fault: string, fix: string, cause?: unknown): AppError =>
  new AppError('unavailable', 'world-unusable', `The chunks of the world ${name} cannot be used: ${fault}. ${fix}`, { cause })

/** The chunks under the name belong to another world. */
export const foreignWorld = (world: WorldRef, cause?: unknown): AppError =>
  worldUnusable(
    world,
    'the data stored under its name belongs to another world or another program',
    'Move that data away, or restore the right data.',
    cause,
  )

export const storeClosed = (): AppError => new AppError('unavailable', 'service-unavailable', 'The chunk store is closed.')
