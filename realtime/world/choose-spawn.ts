import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { Generator } from '../../shared/domain/worlds/generation/generator.ts'
import type { WorldSpawn } from '../../shared/domain/worlds/world.ts'
import { air, type Chunk, getBlock } from '../../shared/rules/chunks/chunk.ts'
import { chunkBlocks } from '../../shared/rules/positions.ts'
import { spiralOfColumns } from './spiral.ts'

/** The search radius in columns: all columns nearby, then every third one. */
const nearRadius = 3
const farRadius = 64
const farStep = 3
/**
 * The maximum number of columns that are generated for the search, at two to three milliseconds each. A new world is searched once,
 * in at most a third of a second.
 */
const looksMax = 120
/** The number of grass blocks that make a column a meadow. */
const grassMin = 96
/** The distance in which to look for land, in blocks. */
const sightBlocks = 96
const sightStep = 8
const directions = 8

type Terrain = Pick<Generator, 'generate' | 'surfaceAt' | 'seaLevel'>

const candidates = function* () {
  yield* spiralOfColumns(nearRadius, 1)
  yield* spiralOfColumns(farRadius, farStep)
}

type Top = { readonly x: number; readonly y: number; readonly z: number; readonly id: string }

/** The highest block of each position of a column that is not air. */
const topsOf = (chunk: Chunk, registry: Pick<BlockRegistry, 'idOf'>): Top[] => {
  // Start at the highest section that is not air: from the top of the world, the search would take longer than the generation.
  const highest = (chunk.sections.findLastIndex((section) => section !== undefined) + 1) * chunkBlocks - 1
  return Array.from({ length: chunkBlocks ** 2 }, (_, at) => {
    const x = chunk.cx * chunkBlocks + (at % chunkBlocks)
    const z = chunk.cz * chunkBlocks + Math.floor(at / chunkBlocks)
    let y = Math.max(highest, 0)
    while (y > 0 && getBlock(chunk, x, y, z) === air) y -= 1
    return { x, y, z, id: registry.idOf(getBlock(chunk, x, y, z)) }
  })
}

const distanceToMiddle = (chunk: Chunk, { x, z }: Top): number =>
  Math.hypot(x - (chunk.cx + 0.5) * chunkBlocks, z - (chunk.cz + 0.5) * chunkBlocks)

/** The direction in degrees with the most land in sight. 0 is east, 90 south. */
const findYaw = ({ surfaceAt, seaLevel }: Terrain, from: Top): number => {
  let best = { yaw: 0, land: -1 }
  for (let turn = 0; turn < directions; turn += 1) {
    const yaw = (turn * 360) / directions
    const [dx, dz] = [Math.cos((yaw * Math.PI) / 180), Math.sin((yaw * Math.PI) / 180)]
    let land = 0
    for (let far = sightStep; far <= sightBlocks; far += sightStep)
      if (surfaceAt(Math.round(from.x + dx * far), Math.round(from.z + dz * far)) > seaLevel) land += 1
    if (land > best.land) best = { yaw, land }
  }
  return best.yaw
}

/**
 * A place in a new world on grass near trees, facing land; or on grass if no column has both. Undefined without grass. The result
 * depends only on the seed and settings.
 */
export const chooseSpawn = (terrain: Terrain, registry: Pick<BlockRegistry, 'idOf'>): WorldSpawn | undefined => {
  let looks = 0
  let meadow: WorldSpawn | undefined
  for (const { cx, cz } of candidates()) {
    const middle = chunkBlocks / 2
    if (terrain.surfaceAt(cx * chunkBlocks + middle, cz * chunkBlocks + middle) <= terrain.seaLevel) continue
    looks += 1
    if (looks > looksMax) break
    const chunk = terrain.generate(cx, cz)
    const tops = topsOf(chunk, registry)
    const grass = tops.filter(({ id }) => id === 'grass')
    const hasTree = tops.some(({ id }) => id.endsWith('_leaves') || id.endsWith('_log'))
    if (grass.length < grassMin || (!hasTree && meadow !== undefined)) continue
    const [place] = grass.sort((one, other) => distanceToMiddle(chunk, one) - distanceToMiddle(chunk, other))
    if (place === undefined) continue
    const spawn = { x: place.x + 0.5, y: place.y + 1, z: place.z + 0.5, yaw: findYaw(terrain, place) }
    if (hasTree) return spawn
    meadow = spawn
  }
  return meadow
}
