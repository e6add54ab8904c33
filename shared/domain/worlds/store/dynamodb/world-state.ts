import { type FoundItems, getItems, type ItemKey } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { Item } from '../../../../platform/storage/dynamodb/dynamodb-text.ts'
import type { ChunkPos } from '../../../../rules/positions.ts'
import type { WorldRef } from '../chunk-store.ts'
import { foreignWorld } from '../chunk-store-rules.ts'
import { bitmapBytes } from '../region-bitmap.ts'
import { decodeColumns, encodeColumns } from './column-list.ts'
import { worldKey } from './keys.ts'

/** A batch that is committed, although its records are not copied to their columns yet. */
export type PendingBatch = { readonly id: string; readonly parts: number; readonly places: readonly ChunkPos[] }

/** The state of a world's chunks. Every write makes a new one. */
export type WorldState = {
  readonly worldId: string
  /** The number of the last write. */
  readonly seq: number
  /** The highest fence so far. */
  readonly fence: number
  readonly chunkCount: number
  readonly sizeBytes: number
  readonly pending: PendingBatch | undefined
}

const keyItem = ({ pk, sk }: ItemKey): Item => ({ pk: { S: pk }, sk: { S: sk } })
const numberOf = (item: Item, name: string): number => Number(item[name]?.N)

/** The number of the write that made an item; 0 without an item. */
export const seqOf = (item: Item | undefined): number => (item === undefined ? 0 : numberOf(item, 'seq'))

/** The condition that an item has not changed since it was read. A reader may see one write of a transaction before the others. */
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
    batchPlaces: { B: encodeColumns(state.pending.places) },
  }),
})

/** Reads the state of `world`; undefined if it has no chunks yet. Throws AppError `unavailable` for another world's state. */
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
        ? { id: batchId.S, parts: numberOf(item, 'batchParts'), places: decodeColumns(batchPlaces.B) }
        : undefined,
  }
}

/** The item of a column. Without bytes it marks that there is none any more, so that no older record comes back. */
export const encodeColumn = (key: ItemKey, seq: number, deflated?: Uint8Array): Record<string, Item[string]> => ({
  ...keyItem(key),
  seq: { N: String(seq) },
  ...(deflated && { deflated: { B: deflated }, deflatedBytes: { N: String(deflated.length) } }),
})

/** The size of an item of `encodeColumn` in bytes; 0 without an item. */
export const sizeOfColumn = (item: Item | undefined): number => Number(item?.deflatedBytes?.N ?? 0)

export const encodeRegion = (key: ItemKey, seq: number, bits: Buffer): Record<string, Item[string]> => ({
  ...keyItem(key),
  seq: { N: String(seq) },
  bits: { B: bits },
})

/** A copy of the bitmap of a region; empty without an item. */
export const bitsOf = (item: Item | undefined): Buffer =>
  item?.bits?.B === undefined ? Buffer.alloc(bitmapBytes) : Buffer.from(item.bits.B)

/** Items of a world and its state, which is undefined without chunks. */
type View = { readonly state: WorldState | undefined; readonly find: FoundItems }

/** Reads items and the state of their world in one round trip. Throws AppError `unavailable` for another world's state. */
export const readWith = async (dynamo: Dynamo, world: WorldRef, keys: readonly ItemKey[]): Promise<View> => {
  const table = dynamo.tableName('chunks')
  const find = await getItems(dynamo, table, { keys: [worldKey(world.name), ...keys] })
  return { state: decodeState(world, find(worldKey(world.name))), find }
}
