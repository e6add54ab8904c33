import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { AppError } from '../../../../kernel/errors.ts'
import { type FoundItems, getItems, type ItemKey } from '../../../../platform/storage/dynamodb/dynamodb-batch-get.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { Item } from '../../../../platform/storage/dynamodb/dynamodb-text.ts'
import type { ChunkPos } from '../../../../rules/positions.ts'
import type { WorldRef } from '../chunk-store.ts'
import { foreignWorld, worldUnusable } from '../chunk-store-rules.ts'
import { bitmapBytes } from '../region-bitmap.ts'
import { worldKey } from './keys.ts'
import { decodePlaces, encodePlaces } from './places.ts'

/** A batch that counts, though its records are not with their columns yet. */
export type PendingBatch = { readonly id: string; readonly parts: number; readonly places: readonly ChunkPos[] }

/** What is known of a world's chunks; every write makes a new one. */
export type WorldState = {
  readonly worldId: string
  /** The number of the last write. */
  readonly seq: number
  /** The highest that was seen. */
  readonly fence: number
  readonly chunkCount: number
  readonly sizeBytes: number
  readonly pending: PendingBatch | undefined
}

/** Below DynamoDB's 400 KB for an item. */
export const deflatedBytesMax = 380_000

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Terrain shrinks to an eighth; as fast as it gets, since a column is packed already. */
export const deflateColumn = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const deflated = await deflate(bytes, { level: 1 })
  if (deflated.length <= deflatedBytesMax) return deflated
  throw new AppError('too-large', 'record-too-large', 'The record of a column is too large to be stored.')
}

/** The bytes of a column as they were put. */
export const inflateColumn = async (world: WorldRef, deflated: Uint8Array): Promise<Uint8Array> => {
  try {
    return await inflate(deflated)
  } catch (cause) {
    throw worldUnusable(world, 'a column is damaged', 'Restore the table from a backup.', cause)
  }
}

const keyItem = ({ pk, sk }: ItemKey): Item => ({ pk: { S: pk }, sk: { S: sk } })
const numberOf = (item: Item, name: string): number => Number(item[name]?.N)

/** The number of the write that made an item; 0 where there is none. */
export const seqOf = (item: Item | undefined): number => (item === undefined ? 0 : numberOf(item, 'seq'))

/** Holds as long as an item is as it was found: a reader may be told of one write of a transaction a moment before the others. */
export const unchanged = (item: Item | undefined) =>
  item === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'seq = :seen', ExpressionAttributeValues: { ':seen': { N: String(seqOf(item)) } } }

export const encodeState = (key: ItemKey, state: WorldState): Record<string, Item[string]> => ({
  ...keyItem(key),
  worldId: { S: state.worldId },
  seq: { N: String(state.seq) },
  fence: { N: String(state.fence) },
  chunkCount: { N: String(state.chunkCount) },
  sizeBytes: { N: String(state.sizeBytes) },
  ...(state.pending && {
    batchId: { S: state.pending.id },
    batchParts: { N: String(state.pending.parts) },
    batchPlaces: { B: encodePlaces(state.pending.places) },
  }),
})

/** Reads the state of `world`, undefined where it has no chunks yet; throws AppError `unavailable` for another world's. */
export const decodeState = (world: WorldRef, item: Item | undefined): WorldState | undefined => {
  if (item === undefined) return undefined
  const worldId = item.worldId?.S
  if (worldId !== world.id) throw foreignWorld(world)
  const { batchId, batchPlaces } = item
  return {
    worldId,
    seq: numberOf(item, 'seq'),
    fence: numberOf(item, 'fence'),
    chunkCount: numberOf(item, 'chunkCount'),
    sizeBytes: numberOf(item, 'sizeBytes'),
    pending:
      batchId?.S !== undefined && batchPlaces?.B !== undefined
        ? { id: batchId.S, parts: numberOf(item, 'batchParts'), places: decodePlaces(batchPlaces.B) }
        : undefined,
  }
}

/** A column; without bytes it says that there is none any more, so that nothing older comes back. */
export const encodeColumn = (key: ItemKey, seq: number, deflated?: Uint8Array): Record<string, Item[string]> => ({
  ...keyItem(key),
  seq: { N: String(seq) },
  ...(deflated && { deflated: { B: deflated }, deflatedBytes: { N: String(deflated.length) } }),
})

/** The size of a column as `encodeColumn` made it, in bytes; 0 where there is none. */
export const sizeOfColumn = (item: Item | undefined): number => Number(item?.deflatedBytes?.N ?? 0)

export const encodeRegion = (key: ItemKey, seq: number, bits: Buffer): Record<string, Item[string]> => ({
  ...keyItem(key),
  seq: { N: String(seq) },
  bits: { B: bits },
})

/** The bitmap of a region, empty where there is none; a copy. */
export const bitsOf = (item: Item | undefined): Buffer =>
  item?.bits?.B === undefined ? Buffer.alloc(bitmapBytes) : Buffer.from(item.bits.B)

/** What was found of a world, and its state, undefined where it has no chunks yet. */
type View = { readonly state: WorldState | undefined; readonly find: FoundItems }

/** Reads items and the state of their world in one round trip; throws AppError `unavailable` for another world's. */
export const readWith = async (dynamo: Dynamo, world: WorldRef, keys: readonly ItemKey[]): Promise<View> => {
  const table = dynamo.tableName('chunks')
  const find = await getItems(dynamo, table, { keys: [worldKey(world.name), ...keys] })
  return { state: decodeState(world, find(worldKey(world.name))), find }
}
