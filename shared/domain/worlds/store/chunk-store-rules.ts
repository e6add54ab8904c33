import { AppError } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import { type ChunkBox, type ChunkPos, chunkMax, chunkMin, isChunkPos } from '../../../rules/positions.ts'
import { WorldName } from '../world.ts'
import type { ChunkRecord, WorldRef } from './chunk-store.ts'

const parseWorldName = createParser(WorldName)

const invalid = (detail: string): AppError => new AppError('invalid', 'bad-request', detail)

/** Throws AppError `invalid` unless the name is one that a world can have: it may become the name of a folder. */
export const checkWorld = ({ name }: WorldRef): void => {
  if (!parseWorldName(name).ok) throw invalid('A world is named by 1 to 64 letters, digits, dashes and underscores.')
}

/** Throws AppError `invalid` unless the fence is a safe integer from 0. */
export const checkFence = (fence: number): void => {
  if (!Number.isSafeInteger(fence) || fence < 0) throw invalid('The fence of a lease is a whole number from 0.')
}

/** Throws AppError `invalid` unless there can be such a column. */
export const checkChunkPos = (pos: ChunkPos): void => {
  if (!isChunkPos(pos)) throw invalid(`The coordinates of a column are whole numbers in ${chunkMin}…${chunkMax}.`)
}

/** Throws AppError `invalid` unless all of these can be written. */
export const checkPutMany = (records: readonly ChunkRecord[], fence: number): void => {
  checkFence(fence)
  for (const record of records) {
    checkChunkPos(record)
    if (record.bytes.length === 0) throw invalid('The record of a column is empty.')
  }
}

/** The part of a box that lies in the world; its minimum is above its maximum where nothing is left. */
export const clipBox = (box: ChunkBox | undefined): ChunkBox => ({
  minCx: Math.max(chunkMin, Math.ceil(box?.minCx ?? chunkMin)),
  maxCx: Math.min(chunkMax, Math.floor(box?.maxCx ?? chunkMax)),
  minCz: Math.max(chunkMin, Math.ceil(box?.minCz ?? chunkMin)),
  maxCz: Math.min(chunkMax, Math.floor(box?.maxCz ?? chunkMax)),
})

/** A write under the fence of a lease that somebody else has taken over. */
export const leaseLost = (): AppError =>
  new AppError('conflict', 'lease-lost', 'Another node has taken over this world; nothing was written.')

/** A write while nobody knows who has the lease: an outage, which ends with the next renewal. */
export const leaseInDoubt = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The lease of this world cannot be renewed; nothing was written.', {
    retryAfterSeconds: 1,
  })

/** `fault` says what is wrong with the chunks of the world, `fix` what to do about it. */
export const worldUnusable = ({ name }: WorldRef, fault: string, fix: string, cause?: unknown): AppError =>
  new AppError('unavailable', 'world-unusable', `The chunks of the world ${name} cannot be used: ${fault}. ${fix}`, { cause })

/** What is stored under the name is not of this world. */
export const foreignWorld = (world: WorldRef, cause?: unknown): AppError =>
  worldUnusable(
    world,
    'what is stored under its name belongs to another world or another program',
    'Move that away, or restore the right one.',
    cause,
  )

/** A call after `close`. */
export const storeClosed = (): AppError => new AppError('unavailable', 'service-unavailable', 'The chunk store is closed.')
