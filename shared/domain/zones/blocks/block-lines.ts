import { type ChunkPos, chunkBlocks } from '../../../rules/positions.ts'
import type { BlockKinds } from './section-layers.ts'

/** Bytes of a piece of text at most. */
export const pieceBytes = 64 * 1024

/** More than any line takes: three coordinates, the frame around them, and an id of 64. */
const lineBytes = 128

/** A layer of one column: `count` words of `readLayer` from `from` on. */
export type LayerWords = {
  readonly pos: ChunkPos
  readonly y: number
  readonly words: Uint32Array
  readonly from: number
  readonly count: number
}

/** Text of blocks, one a line, in pieces. */
export type BlockLines = {
  /** Writes the lines of a layer; answers the piece that they had no more room in, if there was one. */
  add(layer: LayerWords): Buffer | undefined
  /** What is written and not yet answered. */
  flush(): Buffer | undefined
}

const xAt = '{"x":'.length

/** Whether two rows of a layer differ in nothing but their x. */
const isSameRow = (words: Uint32Array, one: number, other: number, count: number): boolean => {
  const apart = ((words[other] ?? 0) & 0xf0) - ((words[one] ?? 0) & 0xf0)
  for (let at = 0; at < count; at += 1) if ((words[one + at] ?? 0) + apart !== words[other + at]) return false
  return true
}

/** How many of the words from `from` on have the same x. */
const rowLength = (words: Uint32Array, from: number, end: number): number => {
  const x = (words[from] ?? 0) & 0xf0
  let at = from + 1
  while (at < end && ((words[at] ?? 0) & 0xf0) === x) at += 1
  return at - from
}

export const createBlockLines = (kinds: BlockKinds): BlockLines => {
  const tails: string[] = []
  const tailOf = (kind: number): string => (tails[kind] ??= `,"type":"${kinds.idOf(kind)}"}\n`)
  /** Where the lines of the row that was written last begin, from the row's own begin. */
  const starts = new Uint32Array(chunkBlocks)
  let piece: Buffer | undefined
  let length = 0

  const writeRow = (target: Buffer, { words, pos, y }: LayerWords, from: number, count: number): number => {
    const head = `{"x":${pos.cx * chunkBlocks + (((words[from] ?? 0) >> 4) & 15)},"y":${y},"z":`
    let row = ''
    for (let at = 0; at < count; at += 1) {
      const word = words[from + at] ?? 0
      starts[at] = row.length
      row += head + (pos.cz * chunkBlocks + (word & 15)) + tailOf(word >>> 8)
    }
    return target.write(row, length, 'latin1')
  }

  /** The last row once more, with another x of the same width. */
  const copyRow = (target: Buffer, rowBytes: number, x: string, count: number): void => {
    target.copyWithin(length, length - rowBytes, length)
    for (let digit = 0; digit < x.length; digit += 1) {
      const code = x.charCodeAt(digit)
      for (let at = 0; at < count; at += 1) target[length + (starts[at] ?? 0) + xAt + digit] = code
    }
  }

  const writeLayer = (target: Buffer, layer: LayerWords): void => {
    const { words, pos, from, count } = layer
    let last = { from, count: 0, bytes: 0, width: 0 }
    for (let at = from; at < from + count; ) {
      const inRow = rowLength(words, at, from + count)
      const x = String(pos.cx * chunkBlocks + (((words[at] ?? 0) >> 4) & 15))
      let { bytes } = last
      if (last.count === inRow && last.width === x.length && isSameRow(words, last.from, at, inRow))
        copyRow(target, bytes, x, inRow)
      else bytes = writeRow(target, layer, at, inRow)
      last = { from: at, count: inRow, bytes, width: x.length }
      length += bytes
      at += inRow
    }
  }

  const flush = (): Buffer | undefined => {
    const full = length === 0 ? undefined : piece?.subarray(0, length)
    piece = undefined
    length = 0
    return full
  }

  return {
    add: (layer) => {
      const full = layer.count * lineBytes > pieceBytes - length ? flush() : undefined
      piece ??= Buffer.allocUnsafeSlow(pieceBytes)
      writeLayer(piece, layer)
      return full
    },
    flush,
  }
}
