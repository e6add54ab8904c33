import { worldHeight } from '../../../rules/positions.ts'

/** Words of a layer that is kept: of each column its place, shifted, with how many follow, then those of `readLayer`. */
type Layer = { words: Uint32Array; length: number; blocks: number }

/** A part of a kept layer: a column by its place, and where its words are. */
export type KeptPart = { readonly place: number; readonly words: Uint32Array; readonly from: number; readonly count: number }

/** Layers above the one that is being written, until it is their turn: no more of them than the cap leaves room for. */
export type KeptLayers = {
  /** The highest layer that the cap leaves anything of, as far as is known; above it nothing is kept. */
  top(): number
  /** Copies the first `count` words of a column's layer; `written` blocks are out already. */
  add(part: Omit<KeptPart, 'from'> & { readonly y: number }, written: number): void
  /** The layer's parts in the order of adding; its memory is free when they have been taken. */
  take(y: number): Generator<KeptPart>
}

const firstWords = 1024

const grow = (layer: Layer, words: number): void => {
  if (layer.length + words <= layer.words.length) return
  const wider = new Uint32Array(Math.max(layer.words.length * 2, layer.length + words))
  wider.set(layer.words.subarray(0, layer.length))
  layer.words = wider
}

/** A layer of a column has 1 to 256 blocks. */
const countBits = 9

export type KeptLayersOptions = {
  /** The layer that is written while others are kept, and the highest that may be needed. */
  readonly lowest: number
  readonly highest: number
  readonly blocksMax: number
}

export const createKeptLayers = ({ lowest, highest: top, blocksMax }: KeptLayersOptions): KeptLayers => {
  const layers = new Array<Layer | undefined>(worldHeight).fill(undefined)
  let highest = top
  let kept = 0

  const layerOf = (y: number): Layer => {
    const layer = layers[y] ?? { words: new Uint32Array(firstWords), length: 0, blocks: 0 }
    layers[y] = layer
    return layer
  }

  /** What begins only after the cap is of no use to anybody. */
  const prune = (written: number): void => {
    while (highest > lowest && written + kept - (layers[highest]?.blocks ?? 0) >= blocksMax) {
      kept -= layers[highest]?.blocks ?? 0
      layers[highest] = undefined
      highest -= 1
    }
  }

  return {
    top: () => highest,
    add: ({ y, place, words, count }, written) => {
      if (y > highest || count === 0 || (y === highest && written + kept >= blocksMax)) return
      const layer = layerOf(y)
      grow(layer, 1 + count)
      layer.words[layer.length] = (place << countBits) | count
      layer.words.set(words.subarray(0, count), layer.length + 1)
      layer.length += 1 + count
      layer.blocks += count
      kept += count
      prune(written)
    },
    take: function* (y) {
      const layer = layers[y]
      layers[y] = undefined
      if (layer === undefined) return
      kept -= layer.blocks
      for (let at = 0; at < layer.length; ) {
        const head = layer.words[at] ?? 0
        const count = head & ((1 << countBits) - 1)
        yield { place: head >>> countBits, words: layer.words, from: at + 1, count }
        at += 1 + count
      }
    },
  }
}
