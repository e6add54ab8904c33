import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { createTerrain, eachPlace } from '../../../../../support/worlds/terrain-fixture.ts'

const isPlant = (id: string): boolean => /_(log|leaves)$|^cactus$/.test(id)
const columnsOf = (cx: number, cz: number, side: number) =>
  Array.from({ length: side * side }, (_, place) => [cx + (place % side), cz + Math.floor(place / side)] as const)

describe('terrain-1', () => {
  it('generates the same blocks in any order', () => {
    const [one, other] = [createTerrain(3).generator, createTerrain(3).generator]
    const columns = columnsOf(-2, -2, 4)
    const forth = columns.map(([cx, cz]) => one.generate(cx, cz))
    const back = columns.toReversed().map(([cx, cz]) => other.generate(cx, cz))
    expect(back.toReversed()).toEqual(forth)
    expect(one.generate(0, 0)).toEqual(other.generate(0, 0))
  })

  it('generates other blocks for each seed, the high bits and the sign included', () => {
    const seeds = [1, -1, 2, 1 + 2 ** 32, 1 + 2 ** 52, 2 ** 53 - 1, -(2 ** 53 - 1), 0]
    const made = seeds.map((seed) => JSON.stringify(createTerrain(seed).generator.generate(9, 9).sections.slice(0, 6)))
    expect(new Set(made).size).toBe(seeds.length)
  })

  it('has a floor of bedrock, and nothing solid at the top of the world', () => {
    const { idAt, isAir } = createTerrain(8)
    for (const { x, z } of eachPlace(-3, 5, 3)) {
      expect(idAt(x, 0, z)).toBe('bedrock')
      expect(isAir(x, 255, z)).toBe(true)
    }
  })

  it.each([
    [1, 0, 0],
    [77, -20, -30],
    [77, 3, 0],
    [2026, 30, -14],
    [1, -12, 4],
    [5, 200, 8],
    [6, -1_875_000, 1_874_994],
  ])('returns for each position the top of the bare terrain, seed %i at column %i, %i', (seed, cx, cz) => {
    const { generator, idAt, registry } = createTerrain(seed)
    const findSurface = (x: number, z: number) => {
      let y = 255
      while (isPlant(idAt(x, y, z)) || !registry.isSolid(registry.intern(idAt(x, y, z)))) y -= 1
      return y
    }
    const wrong = [...eachPlace(cx, cz, 4)].filter(({ x, z }) => findSurface(x, z) !== generator.surfaceAt(x, z))
    expect(wrong).toEqual([])
  })

  it.each([
    [1, -12, 4],
    [1, -16, 8],
    [77, 20, -4],
  ])('has no cave next to water, seed %i at column %i, %i', (seed, cx, cz) => {
    const { idAt, isAir, generator } = createTerrain(seed)
    let wet = 0
    let leaks = 0
    for (const { x, z } of eachPlace(cx, cz, 4)) {
      const surface = generator.surfaceAt(x, z)
      for (let y = Math.min(surface + 1, generator.seaLevel); y <= generator.seaLevel; y += 1) {
        if (idAt(x, y, z) !== 'water') continue
        wet += 1
        const isLeak = isAir(x, y - 1, z) || isAir(x - 1, y, z) || isAir(x + 1, y, z) || isAir(x, y, z - 1) || isAir(x, y, z + 1)
        if (isLeak) leaks += 1
      }
    }
    expect(wet).toBeGreaterThan(100)
    expect(leaks).toBe(0)
  })

  it('has caves that open to the sky', () => {
    const { generator, isAir } = createTerrain(1)
    const isOpen = ({ x, z }: { x: number; z: number }) => {
      const floor = generator.surfaceAt(x, z)
      return floor > generator.seaLevel && generator.surfaceAt(x + 1, z) - floor > 3 && isAir(x, floor + 1, z)
    }
    expect([...eachPlace(-12, 4, 4)].filter(isOpen).length).toBeGreaterThan(0)
  })

  it('grows complete trees across the borders of columns', () => {
    const { idAt, isAir } = createTerrain(1)
    let across = 0
    for (const { x, z } of eachPlace(-12, -4, 6))
      for (let y = 62; y < 110; y += 1) {
        if (!idAt(x, y, z).endsWith('_log') || idAt(x, y + 1, z).endsWith('_log')) continue
        expect([isAir(x - 1, y, z), isAir(x + 1, y, z), isAir(x, y, z - 1), isAir(x, y, z + 1)]).not.toContain(true)
        if ((x & 15) % 15 === 0 || (z & 15) % 15 === 0) across += 1
      }
    expect(across).toBeGreaterThan(5)
  })

  it('has all its blocks, biomes and trees, hills and peaks, ores and caves', () => {
    const all = ['air', 'stone', 'dirt', 'grass', 'sand', 'red_sand', 'sandstone', 'gravel', 'clay', 'bedrock', 'water', 'lava']
    const more = ['ice', 'snow', 'coal_ore', 'iron_ore', 'gold_ore', 'diamond_ore', 'oak_leaves', 'birch_leaves', 'spruce_leaves']
    const missing = new Set([...all, ...more])
    const heights: number[] = []
    for (const seed of [1, 77, 2026]) {
      const { idAt, generator } = createTerrain(seed)
      for (const [cx, cz] of columnsOf(-6, -6, 13)) {
        const [x, z] = [cx * 80 + 5, cz * 80 + 9]
        const surface = generator.surfaceAt(x, z)
        heights.push(surface)
        // The surface height needs no column. Columns are generated only while something is missing.
        if (missing.size > 0) for (let y = 0; y < surface + 12; y += 1) missing.delete(idAt(x, y, z))
      }
    }
    expect([...missing]).toEqual([])
    expect(Math.max(...heights)).toBeGreaterThan(120)
    expect(Math.min(...heights)).toBeLessThan(40)
    const land = heights.filter((height) => height > 62).length / heights.length
    expect(land).toBeGreaterThan(0.35)
    expect(land).toBeLessThan(0.8)
  })

  it('places an ore only between its heights, with any configured id', () => {
    const { idAt } = createTerrain(4, { ores: [{ block: 'mithril', minY: 12, maxY: 13, veinsPerColumn: 30 }] })
    const heights = new Set<number>()
    for (const { x, z } of eachPlace(0, 0, 2)) for (let y = 0; y < 80; y += 1) if (idAt(x, y, z) === 'mithril') heights.add(y)
    expect([...heights].sort()).toEqual([12, 13])
  })

  it('omits caves, trees and climate when the settings disable them', () => {
    const { idAt } = createTerrain(77, { caves: { enabled: false }, trees: { density: 0 }, biomes: { enabled: false } })
    const ids = new Set<string>()
    for (const { x, z } of eachPlace(4, -8, 6)) for (let y = 0; y < 60; y += 1) ids.add(idAt(x, y, z))
    for (const { x, z } of eachPlace(4, -8, 6)) for (let y = 60; y < 90; y += 1) ids.add(idAt(x, y, z))
    expect([...ids].filter((id) => isPlant(id) || id === 'lava' || id === 'red_sand' || id === 'ice')).toEqual([])
  })

  it.each([
    { seaLevel: 20, terrain: { scale: 0.25, amplitude: 2 } },
    { seaLevel: 120, terrain: { scale: 0.25, amplitude: 2 }, caves: { width: 2 }, trees: { density: 4 } },
    { terrain: { amplitude: 0 }, biomes: { snowLine: 0 } },
    { ores: [{ block: 'air' }, { block: 'stone' }, { block: 'water', minY: 255, maxY: 255 }] },
  ])('applies the settings %j to their limits', (settings) => {
    const { generator, idAt } = createTerrain(9, settings)
    for (const [cx, cz] of columnsOf(-1, -1, 3)) generator.generate(cx * 9, cz * 9)
    const surface = generator.surfaceAt(3, 3)
    expect(surface).toBeGreaterThan(0)
    expect(isPlant(idAt(3, surface, 3))).toBe(false)
  })

  it('uses only arithmetic that is the same on every machine', () => {
    const folder = resolve(import.meta.dirname, '../../../../../../shared/domain/worlds/generation/terrain')
    for (const file of readdirSync(folder)) {
      const used = readFileSync(join(folder, file), 'utf8').match(/Math\.\w+|\w \*\* \w/g) ?? []
      expect(used.filter((name) => !/\.(floor|ceil|sqrt|abs|min|max|imul)$/.test(name))).toEqual([])
    }
  })
})
