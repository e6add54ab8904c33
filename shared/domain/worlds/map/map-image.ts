import type { Chunk } from '../../../rules/chunks/chunk.ts'
import { type ChunkBox, chunkBlocks, worldHeight } from '../../../rules/positions.ts'
import type { BlockRegistry } from '../chunks/block-registry.ts'
import { findTopBlock, type TopBlock } from './top-block.ts'

/** What of the world a map shows: columns `box`, and a pixel for each `scale`th block in both directions. */
export type MapFrame = { readonly box: ChunkBox; readonly scale: number; readonly width: number; readonly height: number }

/** A map that is being drawn: colours of blocks first, light and shadow once all are there. */
export type MapImage = {
  draw(chunk: Chunk): void
  /** Whether any pixel of a column is on the map. */
  shows(cx: number, cz: number): boolean
  /** Red, green, blue and opacity of each pixel, row by row from the north; what was not drawn is transparent. */
  finish(): Buffer
}

type Colour = readonly [red: number, green: number, blue: number]

const colourOf = (colour: number): Colour => [colour >> 16, (colour >> 8) & 255, colour & 255]

const mix = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]

/** How much of the water's own colour one sees: the floor shines through where it is shallow, the deep is dark. */
const waterShareMin = 0.55
const waterSharePerBlock = 0.05
const deepShare = 0.5
const deepBlocks = 40
const black: Colour = [0, 0, 0]

/** Light falls from the north: each block of rise or fall to the south of it counts, up to so many. */
const shadePerBlock = 0.06
const shadeBlocks = 5

const paint = (registry: BlockRegistry, water: number | undefined, { index, depth }: TopBlock): Colour => {
  const colour = colourOf(registry.typeOf(index).colour)
  if (depth === 0 || water === undefined) return colour
  const ownColour = colourOf(registry.typeOf(water).colour)
  const surface = mix(colour, ownColour, Math.min(1, waterShareMin + depth * waterSharePerBlock))
  return mix(surface, black, deepShare * Math.min(1, depth / deepBlocks))
}

/** The first offset of the grid of every `scale`th block from `from` on, within a column that begins at `start`. */
const firstOnGrid = (start: number, from: number, scale: number): number => {
  const past = (start - from) % scale
  return past === 0 ? 0 : scale - past
}

/** An image of that frame, of the world up to the height `cut`; takes 5 bytes a pixel, however many columns are drawn. */
export const createMapImage = (
  { box, scale, width, height }: MapFrame,
  registry: BlockRegistry,
  cut = worldHeight - 1,
): MapImage => {
  const pixels = Buffer.alloc(width * height * 4)
  const heights = new Uint8Array(width * height)
  const water = registry.find('water')?.index
  const [fromX, fromZ] = [box.minCx * chunkBlocks, box.minCz * chunkBlocks]

  const put = (pixel: number, top: TopBlock): void => {
    const [red, green, blue] = paint(registry, water, top)
    pixels[pixel * 4] = red
    pixels[pixel * 4 + 1] = green
    pixels[pixel * 4 + 2] = blue
    pixels[pixel * 4 + 3] = 255
    heights[pixel] = top.y
  }

  const shade = (pixel: number): void => {
    const north = pixel - width
    if (pixels[pixel * 4 + 3] === 0 || north < 0 || pixels[north * 4 + 3] === 0) return
    const rise = (heights[pixel] ?? 0) - (heights[north] ?? 0)
    const light = 1 + shadePerBlock * Math.max(-shadeBlocks, Math.min(shadeBlocks, rise))
    for (let at = pixel * 4; at < pixel * 4 + 3; at += 1) pixels[at] = Math.min(255, (pixels[at] ?? 0) * light)
  }

  return {
    draw: (chunk) => {
      const [startX, startZ] = [chunk.cx * chunkBlocks, chunk.cz * chunkBlocks]
      for (let z = firstOnGrid(startZ, fromZ, scale); z < chunkBlocks; z += scale)
        for (let x = firstOnGrid(startX, fromX, scale); x < chunkBlocks; x += scale) {
          const top = findTopBlock(chunk, { x, y: cut, z }, water)
          if (top !== undefined) put(((startZ + z - fromZ) / scale) * width + (startX + x - fromX) / scale, top)
        }
    },
    shows: (cx, cz) =>
      firstOnGrid(cx * chunkBlocks, fromX, scale) < chunkBlocks && firstOnGrid(cz * chunkBlocks, fromZ, scale) < chunkBlocks,
    finish: () => {
      for (let pixel = 0; pixel < width * height; pixel += 1) shade(pixel)
      return pixels
    },
  }
}
