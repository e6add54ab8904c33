import { queryItems } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { Item } from '../../../../platform/storage/dynamodb/dynamodb-text.ts'
import { type ChunkBox, type ChunkPos, chunkKey, isChunkPos } from '../../../../rules/positions.ts'
import type { DiscoveredRow, WorldRef } from '../chunk-store.ts'
import { hasColumn, markColumn, type RegionPos, regionOf } from '../region-bitmap.ts'
import { rowsOf } from '../region-rows.ts'
import { readRegionKey, regionKey, regionRange } from './keys.ts'
import { regionKeysOf, regionsOf } from './regions.ts'
import { bitsOf, readWith, seqOf, type WorldState } from './world-state.ts'
import { readState } from './writer.ts'

/**
 * The places of a batch that is committed but not copied to all of its columns. Empty if the item is from that write or a later one.
 */
const pendingFor = ({ pending, seq }: WorldState, item: Item | undefined): readonly ChunkPos[] =>
  pending === undefined || seqOf(item) >= seq ? [] : pending.places

/** The bitmap of a region, including a pending batch. */
const bitsWith = (state: WorldState, { rx, rz }: RegionPos, item: Item | undefined): Buffer => {
  const bits = bitsOf(item)
  for (const pos of pendingFor(state, item)) if (pos.cx >> 5 === rx && pos.cz >> 5 === rz) markColumn(bits, pos, true)
  return bits
}

/** Whether each column is generated, from the bitmaps of the regions. */
export const readGenerated = async (
  dynamo: Dynamo,
  world: WorldRef,
  positions: readonly ChunkPos[],
): Promise<readonly boolean[]> => {
  const possible = positions.filter(isChunkPos)
  const { state, find } = await readWith(dynamo, world, regionKeysOf(world.name, possible))
  if (state === undefined) return positions.map(() => false)
  const bitmaps = new Map(
    regionsOf(possible).map((region) => [
      chunkKey(region.rx, region.rz),
      bitsWith(state, region, find(regionKey(world.name, region))),
    ]),
  )
  return positions.map((pos) => {
    const { rx, rz } = regionOf(pos)
    const bits = isChunkPos(pos) ? bitmaps.get(chunkKey(rx, rz)) : undefined
    return bits !== undefined && hasColumn(bits, pos)
  })
}

/** The number of regions that one round trip reads by their keys, in addition to the world. */
const regionsAtOnce = 99

type Region = RegionPos & { readonly bits: Buffer }
type RegionBox = { readonly min: RegionPos; readonly max: RegionPos }

const isIn = ({ min, max }: RegionBox, { rx, rz }: RegionPos): boolean =>
  rx >= min.rx && rx <= max.rx && rz >= min.rz && rz <= max.rz

const byPlace = (a: RegionPos, b: RegionPos): number => a.rx - b.rx || a.rz - b.rz

const listFew = async function* (dynamo: Dynamo, world: WorldRef, { min, max }: RegionBox): AsyncGenerator<Region> {
  const regions: RegionPos[] = []
  for (let rx = min.rx; rx <= max.rx; rx += 1) for (let rz = min.rz; rz <= max.rz; rz += 1) regions.push({ rx, rz })
  const { state, find } = await readWith(
    dynamo,
    world,
    regions.map((region) => regionKey(world.name, region)),
  )
  if (state === undefined) return
  for (const region of regions) yield { ...region, bits: bitsWith(state, region, find(regionKey(world.name, region))) }
}

const listMany = async function* (dynamo: Dynamo, world: WorldRef, box: RegionBox): AsyncGenerator<Region> {
  const state = await readState(dynamo, world)
  if (state === undefined) return
  // Regions that only a pending batch has columns in have no item yet.
  const coming = [...regionsOf(state.pending?.places ?? [])].sort(byPlace)
  const takeUntil = function* (next: RegionPos | undefined): Generator<Region> {
    for (let [first] = coming; first !== undefined && (next === undefined || byPlace(first, next) < 0); [first] = coming) {
      coming.shift()
      yield { ...first, bits: bitsWith(state, first, undefined) }
    }
  }
  for await (const items of queryItems(dynamo, dynamo.tableName('chunks'), regionRange(world.name, box.min.rx, box.max.rx)))
    for (const item of items) {
      const region = readRegionKey(item.sk?.S ?? '')
      yield* takeUntil(region)
      if (coming[0] !== undefined && byPlace(coming[0], region) === 0) coming.shift()
      yield { ...region, bits: bitsWith(state, region, item) }
    }
  yield* takeUntil(undefined)
}

/** The rows of a box, sorted by cx. Reads few regions by their keys, many by a query with a thousand or more per round trip. */
export const listRows = async function* (dynamo: Dynamo, world: WorldRef, box: ChunkBox): AsyncGenerator<DiscoveredRow> {
  const regionBox = {
    min: regionOf({ cx: box.minCx, cz: box.minCz }),
    max: regionOf({ cx: box.maxCx, cz: box.maxCz }),
  }
  const count = (regionBox.max.rx - regionBox.min.rx + 1) * (regionBox.max.rz - regionBox.min.rz + 1)
  let column: { rx: number; rzs: number[]; bitmaps: Buffer[] } | undefined
  for await (const region of count <= regionsAtOnce ? listFew(dynamo, world, regionBox) : listMany(dynamo, world, regionBox)) {
    if (!isIn(regionBox, region)) continue
    if (column !== undefined && column.rx !== region.rx) yield* rowsOf(column, box)
    if (column?.rx !== region.rx) column = { rx: region.rx, rzs: [], bitmaps: [] }
    column.rzs.push(region.rz)
    column.bitmaps.push(region.bits)
  }
  if (column !== undefined) yield* rowsOf(column, box)
}
