import type { Generator } from '../../shared/domain/worlds/generation/generator.ts'
import type { WorldSpawn } from '../../shared/domain/worlds/world.ts'
import { findGround } from '../../shared/rules/movement/reach.ts'
import { type ChunkPos, chunkBlocks, chunkCoordinate, chunkKey, worldHeight } from '../../shared/rules/positions.ts'
import type { Placement } from '../interest/cells.ts'
import type { ColumnHolder, LoadedWorld } from './columns/loaded-world.ts'
import { spiralOfColumns } from './spiral.ts'

/** The search radius for dry land around the middle of the world, in columns. */
const searchRadius = 64

/** The place where new players appear. */
export type Spawn = {
  /**
   * A place on the current ground, or on the bare terrain if the column is not in memory. Each call returns another block of the
   * column, the first 64 of them two blocks apart. It avoids the places of `others` while there is room.
   */
  find(others?: Iterable<Pick<Placement, 'x' | 'z'>>): Placement
  /** The middle of the places that `find` returns, on the current ground. */
  middle(): Pick<Placement, 'x' | 'y' | 'z'>
  /** Moves the spawn. Undefined: dry land near the middle. */
  move(to: WorldSpawn | undefined): void
  /** The chosen place, if any. */
  at(): WorldSpawn | undefined
  close(): void
}

export type SpawnDeps = {
  readonly generator: Pick<Generator, 'surfaceAt' | 'seaLevel'>
  readonly loaded: Pick<LoadedWorld, 'blockAt' | 'hold' | 'letGo'>
  /** Absent: the nearest dry land to the middle. */
  readonly at?: WorldSpawn | undefined
}

const chooseColumn = ({ generator }: SpawnDeps): ChunkPos => {
  const { seaLevel } = generator
  for (const pos of spiralOfColumns(searchRadius))
    if (generator.surfaceAt(pos.cx * chunkBlocks, pos.cz * chunkBlocks) >= seaLevel) return pos
  return { cx: 0, cz: 0 }
}

const middleOf = (x: number, y: number, z: number): Placement => ({ x: x + 0.5, y, z: z + 0.5, yaw: 0, pitch: 0 })

const pointOf = ({ x, y, z }: Placement) => ({ x, y, z })

type SpawnPoints = Omit<Spawn, 'move' | 'at'>

/** The area around a chosen spawn in which players appear, in blocks, and its maximum height difference. */
const chosenRadius = 3
const chosenHeights = 4

/** A chosen spawn. If another player is there, a block around it at a similar height. */
const createChosenSpawn = ({ generator, loaded }: SpawnDeps, { x, y, z, yaw = 0 }: WorldSpawn): SpawnPoints => {
  const holder: ColumnHolder = { distanceTo: () => 0 }
  const chosen = { x: Math.floor(x) + 0.5, y: y ?? worldHeight - 1, z: Math.floor(z) + 0.5, yaw, pitch: 0 }
  const around = [...spiralOfColumns(chosenRadius)].map(({ cx, cz }) => ({ ...chosen, x: chosen.x + cx, z: chosen.z + cz }))
  const columns = new Map(
    around.map((place): [number, ChunkPos] => {
      const pos = { cx: chunkCoordinate(Math.floor(place.x)), cz: chunkCoordinate(Math.floor(place.z)) }
      return [chunkKey(pos.cx, pos.cz), pos]
    }),
  )
  for (const pos of columns.values()) loaded.hold(pos, holder)
  /** The height of the bare terrain, for columns that are not in memory, unless the spawn has a height. */
  const likelyY = ({ x: atX, z: atZ }: Placement): number =>
    y ?? Math.max(generator.surfaceAt(Math.floor(atX), Math.floor(atZ)), generator.seaLevel) + 1
  const onGround = (place: Placement): Placement => ({ ...place, y: findGround({ loaded }, place) ?? likelyY(place) })
  return {
    find: (others = []) => {
      const first = onGround(chosen)
      const taken = Array.from(others)
      const isFree = (place: Placement): boolean =>
        taken.every((other) => Math.abs(other.x - place.x) >= 1 || Math.abs(other.z - place.z) >= 1)
      const isNear = (place: Placement): boolean => Math.abs(place.y - first.y) <= chosenHeights
      return around.map(onGround).find((place) => isFree(place) && isNear(place)) ?? first
    },
    middle: () => pointOf(onGround(chosen)),
    close: () => {
      for (const pos of columns.values()) loaded.letGo(pos, holder)
    },
  }
}

/** The spawn of a world: the chosen place, or dry land near the middle. Its columns stay in memory. */
export const createSpawn = (deps: SpawnDeps): Spawn => {
  const spawnPointsAt = (at: WorldSpawn | undefined): SpawnPoints =>
    at === undefined ? createMiddleSpawn(deps) : createChosenSpawn(deps, at)
  let chosen = deps.at
  let places = spawnPointsAt(chosen)
  return {
    find: (others) => places.find(others),
    middle: () => places.middle(),
    move: (to) => {
      const before = places
      chosen = to
      places = spawnPointsAt(to)
      before.close()
    },
    at: () => chosen,
    close: () => places.close(),
  }
}

/** Always the same column, on dry land near the middle of the world if there is any. */
const createMiddleSpawn = (deps: SpawnDeps): SpawnPoints => {
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
  const onHighGround = (place: Placement): Placement => ({ ...place, y: Math.max(place.y, seaLevel + 1) })
  const center = onHighGround(places[(chunkBlocks / 2) * (chunkBlocks + 1)] ?? first)
  const isApart = (_: Placement, at: number): boolean => at % 2 === 0 && Math.floor(at / chunkBlocks) % 2 === 0
  /** Blocks that are two apart come first, then those in between. */
  const inTurn = [...places.filter(isApart), ...places.filter((place, at) => !isApart(place, at))]
  const groundAt = (place: Placement): number | undefined => findGround({ loaded }, place)
  const isBare = (place: Placement): boolean => place.y > seaLevel && groundAt(place) === place.y
  const blockOf = ({ x, z }: Pick<Placement, 'x' | 'z'>): string => `${Math.floor(x)} ${Math.floor(z)}`
  let next = 0

  /** A different block for each player, so that players who arrive together see each other. */
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
      // A block on bare terrain is better than one under a tree or with changes by players.
      const bare = takeNext((place) => isFree(place) && isBare(place)) ?? takeNext(isBare)
      if (bare !== undefined) return bare
      const high = onHighGround(takeNext(isFree) ?? takeNext(() => true) ?? above)
      return { ...high, y: groundAt(high) ?? high.y }
    },
    middle: () => pointOf({ ...center, y: groundAt(center) ?? center.y }),
    close: () => loaded.letGo(column, holder),
  }
}
