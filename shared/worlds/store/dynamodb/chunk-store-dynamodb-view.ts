import { type FoundItems, getItems, type ItemKey } from '../../../storage/dynamodb/dynamodb-batch-get.ts'
import type { Dynamo } from '../../../storage/dynamodb/dynamodb-client.ts'
import type { WorldRef } from '../chunk-store.ts'
import { decodeState, type WorldState } from './chunk-store-dynamodb-items.ts'
import { worldKey } from './keys.ts'

/** What was found of a world, and its state, undefined where it has no chunks yet. */
export type View = { readonly state: WorldState | undefined; readonly find: FoundItems }

/** Reads items and the state of their world in one round trip; throws AppError `unavailable` for another world's. */
export const readWith = async (dynamo: Dynamo, world: WorldRef, keys: readonly ItemKey[]): Promise<View> => {
  const table = dynamo.tableName('chunks')
  const find = await getItems(dynamo, table, { keys: [worldKey(world.name), ...keys] })
  return { state: decodeState(world, find(worldKey(world.name))), find }
}
