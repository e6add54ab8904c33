import type { FoundItems, ItemKey } from '../storage/dynamodb-batch-get.ts'
import { bitsOf } from './chunk-store-dynamodb-items.ts'
import { regionKey } from './chunk-store-dynamodb-keys.ts'
import { type ChunkPos, chunkKey } from './positions.ts'
import { type RegionPos, regionOf } from './region-bitmap.ts'

/** The regions that columns lie in, each once. */
export const regionsOf = (columns: readonly ChunkPos[]): readonly RegionPos[] => [
  ...new Map(columns.map(regionOf).map((region) => [chunkKey(region.rx, region.rz), region])).values(),
]

/** The keys of the regions that columns lie in. */
export const regionKeysOf = (name: string, columns: readonly ChunkPos[]): readonly ItemKey[] =>
  regionsOf(columns).map((region) => regionKey(name, region))

/** Bitmaps by region; all that were found, to be changed at will. */
export type Bitmaps = {
  readonly regions: readonly { readonly region: RegionPos; readonly bits: Buffer }[]
  bitsAt(pos: ChunkPos): Buffer
}

/** The bitmaps of the regions that columns lie in, as they were found. */
export const openBitmaps = (name: string, columns: readonly ChunkPos[], find: FoundItems): Bitmaps => {
  const regions = regionsOf(columns).map((region) => ({ region, bits: bitsOf(find(regionKey(name, region))) }))
  const byKey = new Map(regions.map(({ region, bits }) => [chunkKey(region.rx, region.rz), bits]))
  return {
    regions,
    bitsAt: (pos) => {
      const { rx, rz } = regionOf(pos)
      return byKey.get(chunkKey(rx, rz)) ?? bitsOf(undefined)
    },
  }
}
