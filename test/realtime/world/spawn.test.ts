import { describe, expect, it } from '@jest/globals'
import { chooseSpawn } from '../../../realtime/world/choose-spawn.ts'
import { createSpawn } from '../../../realtime/world/spawn.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../../shared/domain/worlds/generation/generators.ts'
import type { WorldSpawn } from '../../../shared/domain/worlds/world.ts'
import { getBlock } from '../../../shared/rules/chunks/chunk.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'
import { createBlockMap, type MapBlock } from '../../support/worlds/block-map.ts'

type Surface = (x: number, z: number) => number
type Block = readonly [x: number, y: number, z: number, block?: MapBlock]

const seaLevel = 62

/** The 16×16 blocks of a column up to its surface, with water above it below sea level. */
const columnOf = (surfaceAt: Surface, cx: number, cz: number): Block[] =>
  Array.from({ length: 256 }, (_, at) => [cx * 16 + (at % 16), cz * 16 + Math.floor(at / 16)] as const).flatMap(([x, z]) => {
    const surface = surfaceAt(x, z)
    const land = [surface - 1, surface].map((y): Block => [x, y, z])
    return surface < seaLevel ? [...land, ...[surface + 1, seaLevel].map((y): Block => [x, y, z, 'water'])] : land
  })

const createScene = (surfaceAt: Surface, blocks: readonly Block[], isLoaded?: () => boolean, at?: WorldSpawn) => {
  const held = new Set<string>()
  const loaded = {
    ...createBlockMap(blocks, isLoaded).loaded,
    hold: ({ cx, cz }: ChunkPos) => void held.add(`${cx} ${cz}`),
    letGo: ({ cx, cz }: ChunkPos) => void held.delete(`${cx} ${cz}`),
  }
  return { spawn: createSpawn({ generator: { surfaceAt, seaLevel }, loaded, at }), held }
}

const level: Surface = () => 63

describe('the spawn', () => {
  it('is on dry ground in the middle of the world, and keeps its column in memory', () => {
    const { spawn, held } = createScene(level, columnOf(level, 0, 0))
    expect(spawn.find()).toEqual({ x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0 })
    expect([...held]).toEqual(['0 0'])
    spawn.close()
    expect([...held]).toEqual([])
  })

  it('has a middle on the current ground, at most 8 blocks from the places of players', () => {
    const { spawn } = createScene(level, [...columnOf(level, 0, 0), ...columnOf(level, -2, 0), [8, 64, 8]])
    expect(spawn.middle()).toEqual({ x: 8.5, y: 65, z: 8.5 })
    for (let count = 0; count < 300; count += 1) {
      const { x, z } = spawn.find()
      expect(Math.max(Math.abs(x - 8.5), Math.abs(z - 8.5))).toBeLessThanOrEqual(8)
    }
    spawn.move({ x: -23.5, z: 8.2 })
    expect(spawn.middle()).toEqual({ x: -23.5, y: 64, z: 8.5 })
  })

  it('is on the nearest dry land when the middle is under water, always the same', () => {
    const island: Surface = (x, z) => (x >= 32 && x < 64 && z >= -48 && z < -16 ? 70 : 40)
    const places = [1, 2].map(() => createScene(island, columnOf(island, 2, -2)).spawn.find())
    expect(places).toEqual([1, 2].map(() => ({ x: 32.5, y: 71, z: -31.5, yaw: 0, pitch: 0 })))
  })

  it('is on the water in the middle when there is no land', () => {
    const sea: Surface = () => 60
    expect(createScene(sea, columnOf(sea, 0, 0)).spawn.find()).toMatchObject({ x: 0.5, y: 63, z: 0.5 })
  })

  it('is on the ground of a world below the sea level without a sea', () => {
    const low: Surface = () => 3
    const floor = columnOf(low, 0, 0).filter(([, , , block]) => block === undefined)
    expect(createScene(low, floor).spawn.find()).toMatchObject({ x: 0.5, y: 4, z: 0.5 })
  })

  it('is next to a tree and not in it', () => {
    const tree = [64, 65, 66, 67].map((y): Block => [0, y, 0])
    expect(createScene(level, [...columnOf(level, 0, 0), ...tree]).spawn.find()).toMatchObject({ x: 2.5, y: 64, z: 0.5 })
  })

  it('gives 256 players different places in turn, the first 64 two blocks apart', () => {
    const { spawn } = createScene(level, columnOf(level, 0, 0))
    const places = Array.from({ length: 64 }, spawn.find)
    const gaps = places.flatMap((a, at) => places.slice(at + 1).map((b) => Math.hypot(a.x - b.x, a.z - b.z)))
    expect(Math.min(...gaps)).toBe(2)
    const between = Array.from({ length: 192 }, spawn.find)
    expect(new Set([...places, ...between].map(({ x, z }) => `${x} ${z}`)).size).toBe(256)
    expect(spawn.find()).toEqual(places[0])
  })

  it('avoids occupied places, as after a start of the node, unless all are occupied', () => {
    const { spawn } = createScene(level, columnOf(level, 0, 0))
    const ann = { x: 0.7, z: 0.4 }
    expect(spawn.find([ann])).toMatchObject({ x: 2.5, z: 0.5 })
    const everybody = Array.from({ length: 256 }, (_, at) => ({ x: (at % 16) + 0.5, z: Math.floor(at / 16) + 0.5 }))
    expect(spawn.find(everybody)).toMatchObject({ x: 4.5, y: 64, z: 0.5 })
  })

  it('is another block each time even when the column is not in memory', () => {
    const { spawn } = createScene(level, [], () => false)
    expect([spawn.find(), spawn.find()]).toMatchObject([
      { x: 0.5, y: 64 },
      { x: 2.5, y: 64 },
    ])
  })

  it('is the last free block of a column that is built over', () => {
    const rest = columnOf(() => 65, 0, 0).filter(([x, , z]) => x !== 5 || z !== 3)
    const { spawn } = createScene(level, [...columnOf(level, 0, 0), ...rest])
    for (const place of [spawn.find(), spawn.find()]) expect(place).toMatchObject({ x: 5.5, y: 64, z: 3.5 })
  })

  it.each([
    ['on the sea', () => 60, columnOf(() => 60, 0, 0), 63],
    ['on a floor that was laid all over it', level, [...columnOf(level, 0, 0), ...columnOf(() => 65, 0, 0)], 66],
  ] as const)('is two blocks apart %s too', (_name, surfaceAt, blocks, y) => {
    const { spawn } = createScene(surfaceAt, blocks)
    const [one, other] = [spawn.find(), spawn.find()]
    expect([one.y, other.y]).toEqual([y, y])
    expect(Math.hypot(one.x - other.x, one.z - other.z)).toBe(2)
  })

  it('is on top of buildings that cover it, and on the ground of a hole', () => {
    const roof = columnOf(() => 65, 0, 0)
    expect(createScene(level, [...columnOf(level, 0, 0), ...roof]).spawn.find()).toMatchObject({ x: 0.5, y: 66, z: 0.5 })
    expect(
      createScene(
        level,
        columnOf(() => 50, 0, 0).filter(([, , , block]) => block === undefined),
      ).spawn.find(),
    ).toMatchObject({
      x: 0.5,
      y: 51,
      z: 0.5,
    })
  })

  it('is above the bare terrain while its column is not in memory', () => {
    expect(createScene(level, [], () => false).spawn.find()).toMatchObject({ x: 0.5, y: 64, z: 0.5 })
  })
})

describe('a spawn set by an admin', () => {
  const at = { x: 40.5, y: 64, z: -8.5, yaw: 90 }
  const land = [...columnOf(level, 2, -1), ...columnOf(level, 1, -1)]

  it('is at its place, and beside a player on it', () => {
    const { spawn, held } = createScene(level, land, undefined, at)
    expect(spawn.find()).toEqual({ ...at, pitch: 0 })
    const second = spawn.find([at])
    expect(second).toMatchObject({ y: 64, yaw: 90 })
    expect(Math.hypot(second.x - at.x, second.z - at.z)).toBeGreaterThanOrEqual(1)
    expect([...held]).toEqual(['2 -1'])
  })

  it('is on the ground without a height, estimated while the column is not in memory', () => {
    const place = { x: at.x, z: at.z }
    expect(createScene(level, land, undefined, place).spawn.find()).toMatchObject({ x: 40.5, y: 64, z: -8.5 })
    expect(createScene(level, land, () => false, place).spawn.find()).toMatchObject({ y: 64 })
  })

  it('moves, and releases the earlier columns', () => {
    const { spawn, held } = createScene(level, [...land, ...columnOf(level, 0, 0)], undefined, at)
    spawn.move({ x: 8, y: 64, z: 8 })
    expect(spawn.find()).toMatchObject({ x: 8.5, y: 64, z: 8.5 })
    expect([...held]).toEqual(['0 0'])
    spawn.close()
    expect([...held]).toEqual([])
  })
})

describe('the spawn of a new world', () => {
  const registry = registryOf(createFixedConfigs().get('blocks.yaml'))
  const terrainOf = (seed: number) => createGenerator({ version: 'terrain-1', seed, settings: {}, registry })

  it.each([1, 42, 1234])('is on grass, with trees in its column, for the seed %i', (seed) => {
    const terrain = terrainOf(seed)
    const spawn = chooseSpawn(terrain, registry)
    if (spawn?.y === undefined) throw new Error('there is none')
    const [x, z] = [Math.floor(spawn.x), Math.floor(spawn.z)]
    const chunk = terrain.generate(x >> 4, z >> 4)
    const ids = new Set(chunk.sections.flatMap((section) => section?.palette.map((index) => registry.idOf(index)) ?? []))
    expect(registry.idOf(getBlock(chunk, x, spawn.y - 1, z))).toBe('grass')
    expect([getBlock(chunk, x, spawn.y, z), getBlock(chunk, x, spawn.y + 1, z)]).toEqual([0, 0])
    expect([...ids].some((id) => id.endsWith('_log'))).toBe(true)
    expect(terrain.surfaceAt(x, z)).toBeGreaterThan(terrain.seaLevel)
    expect(chooseSpawn(terrainOf(seed), registry)).toEqual(spawn)
  })

  it('is on the grass of a flat world without trees, and undefined without grass', () => {
    const flat = createGenerator({ version: 'flat-1', seed: 1, settings: {}, registry })
    expect(chooseSpawn(flat, registry)).toMatchObject({ x: 8.5, z: 8.5, yaw: 0 })
    const layers = [{ block: 'stone', height: 4 }]
    const bare = createGenerator({ version: 'flat-1', seed: 1, settings: { flat: { layers } }, registry })
    expect(chooseSpawn(bare, registry)).toBeUndefined()
  })
})
