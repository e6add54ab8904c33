import { chunkBlocks, worldHeight } from '../../../rules/positions.ts'
import type { ScannedColumn } from './scan-column.ts'
import { countLayer } from './section-layers.ts'

/** How many blocks a zone has, as far as its columns have been counted. */
export type BlockCount = {
  /** Counts a column's layers between the zone's heights, air aside. */
  add(place: number, column: ScannedColumn): void
  total(): number
  /** The lowest layer with a block, and the highest that begins before `blocksMax`; undefined where there is no block. */
  range(blocksMax: number): { readonly lowest: number; readonly highest: number } | undefined
  /** The columns, ascending, that have a block in sections between these layers. */
  placesWithin(range: { readonly lowest: number; readonly highest: number }): number[]
}

export type Heights = { readonly yMin: number; readonly yMax: number }

export const createBlockCount = (columns: number, { yMin, yMax }: Heights): BlockCount => {
  const layers = new Float64Array(worldHeight)
  /** A bit for each section with a block. */
  const filled = new Uint16Array(columns)
  return {
    add: (place, column) => {
      for (let sectionY = yMin >> 4; sectionY <= yMax >> 4; sectionY += 1) {
        const section = column[sectionY]
        if (section === undefined) continue
        const bottom = sectionY * chunkBlocks
        for (let y = Math.max(bottom, yMin); y <= Math.min(bottom + chunkBlocks - 1, yMax); y += 1) {
          const count = countLayer(section, y - bottom)
          if (count === 0) continue
          layers[y] = (layers[y] ?? 0) + count
          filled[place] = (filled[place] ?? 0) | (1 << sectionY)
        }
      }
    },
    total: () => layers.reduce((sum, count) => sum + count, 0),
    range: (blocksMax) => {
      const lowest = layers.findIndex((count) => count > 0)
      if (lowest === -1) return undefined
      let highest = lowest
      let blocks = 0
      for (let y = lowest; y <= yMax && blocks < blocksMax; y += 1) {
        if ((layers[y] ?? 0) > 0) highest = y
        blocks += layers[y] ?? 0
      }
      return { lowest, highest }
    },
    placesWithin: ({ lowest, highest }) => {
      const wanted = (2 << (highest >> 4)) - (1 << (lowest >> 4))
      return [...filled.entries()].flatMap(([place, bits]) => ((bits & wanted) === 0 ? [] : [place]))
    },
  }
}
