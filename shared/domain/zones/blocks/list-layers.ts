import type { Turns } from '../../../kernel/turns.ts'
import { type ChunkPos, chunkBlocks } from '../../../rules/positions.ts'
import { createBlockLines, type LayerWords } from './block-lines.ts'
import { createKeptLayers } from './kept-layers.ts'
import type { ScannedColumn } from './scan-column.ts'
import { createBlockKinds, layerBlocks, readLayer } from './section-layers.ts'

/** A column by its place among the zone's. */
export type PlacedColumn = { readonly place: number; readonly column: ScannedColumn }

export type ListLayersOptions = {
  /** In the order of their places, some at a time. */
  readonly columns: AsyncIterable<readonly PlacedColumn[]>
  readonly positions: readonly ChunkPos[]
  /** Layers to list, both ends included. */
  readonly lowest: number
  readonly highest: number
  readonly blocksMax: number
  readonly turns: Turns
}

/** Blocks that are looked at before others have their turn: some 0.2 ms. */
const blocksPerTurn = 8192

/**
 * The lines of columns, layer by layer from the lowest, while each column is asked for once. The lowest layer leaves as it comes; of those above, as many blocks are kept as the cap lets through. The first piece leaves after the first columns that have a block to list.
 */
export const listLayers = async function* (options: ListLayersOptions): AsyncGenerator<Buffer> {
  const { columns, positions, lowest, highest, blocksMax, turns } = options
  const kinds = createBlockKinds()
  const lines = createBlockLines(kinds)
  const kept = createKeptLayers({ lowest, highest, blocksMax })
  const words = new Uint32Array(layerBlocks)
  let written = 0
  let looked = 0

  const write = (y: number, place: number, part: Pick<LayerWords, 'words' | 'from' | 'count'>): Buffer | undefined => {
    const pos = positions[place]
    const count = Math.min(part.count, blocksMax - written)
    if (pos === undefined || count === 0) return undefined
    written += count
    return lines.add({ words: part.words, from: part.from, count, pos, y })
  }

  const read = (column: ScannedColumn, y: number): number => {
    const section = column[y >> 4]
    return section === undefined ? 0 : readLayer({ section, layer: y % chunkBlocks, kinds }, words)
  }

  const takeIn = ({ place, column }: PlacedColumn): Buffer | undefined => {
    looked += (kept.top() - lowest + 1) * layerBlocks
    const full = write(lowest, place, { words, from: 0, count: read(column, lowest) })
    for (let y = lowest + 1; y <= kept.top(); y += 1) kept.add({ y, place, words, count: read(column, y) }, written)
    return full
  }

  let isFirst = true
  for await (const some of columns) {
    for (const column of some) {
      const full = takeIn(column)
      if (full !== undefined) yield full
      if (looked < blocksPerTurn) continue
      looked = 0
      await turns.next()
    }
    const early: Buffer | undefined = isFirst ? lines.flush() : undefined
    if (early !== undefined) {
      isFirst = false
      yield early
    }
    if (written === blocksMax) break
  }
  for (let y = lowest + 1; y <= kept.top() && written < blocksMax; y += 1)
    for (const part of kept.take(y)) {
      const full = write(y, part.place, part)
      if (full === undefined) continue
      yield full
      // A socket with room, or whoever collects, would ask for the next within this turn.
      await turns.next()
    }
  const rest = lines.flush()
  if (rest !== undefined) yield rest
}
