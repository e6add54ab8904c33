import type { FoundItems, ItemKey } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Item } from '../../../../platform/storage/dynamodb/dynamodb-text.ts'
import { type ChunkPos, chunkKey } from '../../../../rules/positions.ts'
import { type RegionPos, regionOf } from '../region-bitmap.ts'
import { regionKey } from './keys.ts'
import { bitsOf, encodeRegion, seqOf, unchanged } from './world-state.ts'

/** The regions of columns, without duplicates. */
export const regionsOf = (columns: readonly ChunkPos[]): readonly RegionPos[] => [
  ...new Map(columns.map(regionOf).map((region) => [chunkKey(region.rx, region.rz), region])).values(),
]

/** The keys of the regions of columns. */
export const regionKeysOf = (name: string, columns: readonly ChunkPos[]): readonly ItemKey[] =>
  regionsOf(columns).map((region) => regionKey(name, region))

/** The bitmaps of regions. You may change them. */
export type Bitmaps = {
  readonly regions: readonly { readonly region: RegionPos; readonly bits: Buffer; readonly item: Item | undefined }[]
  bitsAt(pos: ChunkPos): Buffer
}

/** The bitmaps of the regions of columns, from the items. */
export const openBitmaps = (name: string, columns: readonly ChunkPos[], find: FoundItems): Bitmaps => {
  const regions = regionsOf(columns).map((region) => {
    const item = find(regionKey(name, region))
    return { region, bits: bitsOf(item), item }
  })
  const byKey = new Map(regions.map(({ region, bits }) => [chunkKey(region.rx, region.rz), bits]))
  return {
    regions,
    bitsAt: (pos) => {
      const { rx, rz } = regionOf(pos)
      return byKey.get(chunkKey(rx, rz)) ?? bitsOf(undefined)
    },
  }
}

/** Whether one of the regions has a later write than the number `seq`. */
export const isBehind = ({ regions }: Bitmaps, seq: number): boolean => regions.some(({ item }) => seqOf(item) > seq)

/**
 * The writes of all bitmaps in their current state, for the write of number `seq`. Each fails if the bitmap was changed since it was
 * read.
 */
export const putBitmaps = (
  { regions }: Bitmaps,
  { TableName, name, seq }: { readonly TableName: string; readonly name: string; readonly seq: number },
) =>
  regions.map(({ region, bits, item }) => ({
    Put: { TableName, ...unchanged(item), Item: encodeRegion(regionKey(name, region), seq, bits) },
  }))
