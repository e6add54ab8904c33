import type { WorldgenConfig } from '../worldgen-config.ts'
import { createPlaceHash, mixBits, type SeedWords } from './seeded-random.ts'
import type { Column, TerrainBlocks } from './terrain-blocks.ts'

type OresDeps = {
  readonly seed: SeedWords
  readonly settings: WorldgenConfig
  readonly blocks: TerrainBlocks
}

type Vein = { readonly block: number; readonly veinBlocks: number; readonly minY: number; readonly maxY: number }

/** The number of steps that one mix of bits is enough for, at three bits a step. */
const stepsPerMix = 10
const highestPlace = 15

const stepAside = (value: number, isUp: boolean): number => (isUp ? Math.min(highestPlace, value + 1) : Math.max(0, value - 1))

/**
 * Places veins of each ore into the stone of a column. A vein walks from block to block. It starts within its heights and stays in the
 * column.
 */
export const createOres = ({ seed, settings, blocks }: OresDeps) => {
  const ores = settings.ores.map((ore, place) => ({
    ...ore,
    block: blocks.place(ore.block),
    bitsAt: createPlaceHash(seed, 60 + place),
  }))

  const walk = (column: Column, { block, veinBlocks, minY, maxY }: Vein, bits: number) => {
    let x = bits & 15
    let z = (bits >>> 4) & 15
    let y = minY + ((bits >>> 8) % (maxY - minY + 1))
    let state = bits
    for (let step = 0; step < veinBlocks; step += 1) {
      const at = (y << 8) | (z << 4) | x
      if (column[at] === blocks.stone) column[at] = block
      state = step % stepsPerMix === 0 ? mixBits(state + 0x9e3779b9 + step) : state >>> 3
      const axis = state & 6
      const isUp = (state & 1) === 1
      if (axis === 0) x = stepAside(x, isUp)
      else if (axis === 2) z = stepAside(z, isUp)
      else if (axis === 4) y = isUp ? Math.min(maxY, y + 1) : Math.max(minY, y - 1)
    }
  }

  return (cx: number, cz: number, column: Column): void => {
    for (const ore of ores) {
      let bits = ore.bitsAt(cx, cz)
      for (let vein = 0; vein < ore.veinsPerColumn; vein += 1) {
        bits = mixBits(bits + 0x6d2b79f5)
        walk(column, ore, bits)
      }
    }
  }
}
