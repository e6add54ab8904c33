import type { Generator } from '../../shared/worlds/generation/generator.ts'
import { type ChunkPos, chunkBlocks } from '../../shared/worlds/space/positions.ts'
import type { Placement } from '../interest/cell.ts'
import type { ColumnHolder, LoadedWorld } from './columns/loaded-world.ts'
import { findGround } from './physics/ground.ts'

/** How far from the middle of the world dry land is looked for, in columns. */
const searchRadius = 64

/** Where players come into a world for the first time. */
export type Spawn = {
  /**
   * On the ground as it is at this moment, above the bare terrain as long as the column is not in memory: each time another block of the
   * column, two from all others for the first 64, and not where somebody of `others` is as long as there is room elsewhere.
   */
  find(others?: Iterable<Pick<Placement, 'x' | 'z'>>): Placement
  close(): void
}

export type SpawnDeps = {
  readonly generator: Pick<Generator, 'surfaceAt' | 'seaLevel'>
  readonly loaded: Pick<LoadedWorld, 'blockAt' | 'hold' | 'letGo'>
}

/** Columns by their distance from the middle: rings, each from its north-west corner row by row. */
const spiral = function* (): Iterable<ChunkPos> {
  for (let ring = 0; ring <= searchRadius; ring += 1)
    for (let cz = 0 - ring; cz <= ring; cz += 1)
      for (let cx = 0 - ring; cx <= ring; cx += Math.abs(cz) === ring ? 1 : Math.max(1, 2 * ring)) yield { cx, cz }
}

const chooseColumn = ({ generator }: SpawnDeps): ChunkPos => {
  const { seaLevel } = generator
  for (const pos of spiral()) if (generator.surfaceAt(pos.cx * chunkBlocks, pos.cz * chunkBlocks) >= seaLevel) return pos
  return { cx: 0, cz: 0 }
}

const middleOf = (x: number, y: number, z: number): Placement => ({ x: x + 0.5, y, z: z + 0.5, yaw: 0, pitch: 0 })

/** The spawn of a world: always the same column, on dry land near the middle of the world if there is any; it stays in memory. */
export const createSpawn = (deps: SpawnDeps): Spawn => {
  const { generator, loaded } = deps
  const { seaLevel } = generator
  const column = chooseColumn(deps)
  const holder: ColumnHolder = { distanceTo: () => 0 }
  loaded.hold(column, holder)
  const places = Array.from({ length: chunkBlocks ** 2 }, (_, at) => {
    const x = column.cx * chunkBlocks + (at % chunkBlocks)
    const z = column.cz * chunkBlocks + Math.floor(at / chunkBlocks)
    return middleOf(x, generator.surfaceAt(x, z) + 1, z)
  })
  const [first = middleOf(0, seaLevel + 1, 0)] = places
  const above = { ...first, y: Math.max(first.y, seaLevel + 1) }
  const isApart = (_: Placement, at: number): boolean => at % 2 === 0 && Math.floor(at / chunkBlocks) % 2 === 0
  /** Those two blocks apart first, then those between. */
  const inTurn = [...places.filter(isApart), ...places.filter((place, at) => !isApart(place, at))]
  const groundAt = (place: Placement): number | undefined => findGround({ loaded }, place)
  const isBare = (place: Placement): boolean => place.y > seaLevel && groundAt(place) === place.y
  const blockOf = ({ x, z }: Pick<Placement, 'x' | 'z'>): string => `${Math.floor(x)} ${Math.floor(z)}`
  const onHighGround = (place: Placement): Placement => ({ ...place, y: Math.max(place.y, seaLevel + 1) })
  let next = 0

  /** Another each time, so that who comes together sees each other. */
  const takeNext = (isFit: (place: Placement) => boolean): Placement | undefined => {
    for (let tried = 0; tried < inTurn.length; tried += 1) {
      const place = inTurn[next]
      next = (next + 1) % inTurn.length
      if (place !== undefined && isFit(place)) return place
    }
    return undefined
  }

  return {
    find: (others = []) => {
      const taken = new Set(Array.from(others, blockOf))
      const isFree = (place: Placement): boolean => !taken.has(blockOf(place))
      if (groundAt(above) === undefined) return onHighGround(takeNext(isFree) ?? above)
      // A tree stands above the bare terrain: where one does, or somebody built or dug, another block is better.
      const bare = takeNext((place) => isFree(place) && isBare(place)) ?? takeNext(isBare)
      if (bare !== undefined) return bare
      const high = onHighGround(takeNext(isFree) ?? takeNext(() => true) ?? above)
      return { ...high, y: groundAt(high) ?? high.y }
    },
    close: () => loaded.letGo(column, holder),
  }
}
