import { air, type Chunk, entryAt, readSection } from '../../../rules/chunks/chunk.ts'
import { type BlockPos, type ChunkBox, chunkBlocks, worldHeight } from '../../../rules/positions.ts'
import type { BlockRegistry } from '../chunks/block-registry.ts'

/** The part of the world on a map: the columns `box`, and one pixel per `scale`th block in both directions. */
export type MapFrame = { readonly box: ChunkBox; readonly scale: number; readonly width: number; readonly height: number }

/** A map that is being drawn. `draw` sets colours of blocks; `finish` adds light and shadow. */
export type MapImage = {
  draw(chunk: Chunk): void
  /** Whether the map shows any pixel of a column. */
  shows(cx: number, cz: number): boolean
  /** Red, green, blue and opacity of each pixel, row by row from the north. Pixels that were not drawn are transparent. */
  finish(): Buffer
}

type Colour = readonly [red: number, green: number, blue: number]

const colourOf = (colour: number): Colour => [colour >> 16, (colour >> 8) & 255, colour & 255]

const mix = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]

/** The share of the water's own colour: the floor shines through shallow water, and deep water is dark. */
const waterShareMin = 0.55
const waterSharePerBlock = 0.05
const deepShare = 0.5
const deepBlocks = 40
const black: Colour = [0, 0, 0]

/** Light falls from the north. Each block of rise or fall to the south counts, up to this many. */
const shadePerBlock = 0.06
const shadeBlocks = 5

/** The visible block from above: `index` at height `y`, under `depth` blocks of water. */
type TopBlock = { readonly index: number; readonly y: number; readonly depth: number }

/**
 * The highest block from `y` down that is neither air nor water; undefined if all is air. If there is only water, the water counts as
 * its own floor.
 */
const findTopBlock = ({ sections }: Chunk, { x, y: cut, z }: BlockPos, water: number | undefined): TopBlock | undefined => {
  let depth = 0
  let surface = 0
  for (let sectionY = sections.length - 1; sectionY >= 0; sectionY -= 1) {
    const section = sections[sectionY]
    if (section === undefined) continue
    for (let y = Math.min(chunkBlocks - 1, cut - sectionY * chunkBlocks); y >= 0; y -= 1) {
      const index = readSection(section, entryAt(x, y, z))
      if (index === air) continue
      const height = sectionY * chunkBlocks + y
      if (index !== water) return { index, y: depth > 0 ? surface : height, depth }
      if (depth === 0) surface = height
      depth += 1
    }
  }
  return depth > 0 && water !== undefined ? { index: water, y: surface, depth } : undefined
}

const paint = (registry: BlockRegistry, water: number | undefined, { index, depth }: TopBlock): Colour => {
  const colour = colourOf(registry.typeOf(index).colour)
  if (depth === 0 || water === undefined) return colour
  const ownColour = colourOf(registry.typeOf(water).colour)
  const surface = mix(colour, ownColour, Math.min(1, waterShareMin + depth * waterSharePerBlock))
  return mix(surface, black, deepShare * Math.min(1, depth / deepBlocks))
}

/** The first offset on the grid of every `scale`th block from `from`, within a column that starts at `start`. */
const firstOnGrid = (start: number, from: number, scale: number): number => {
  const past = (start - from) % scale
  return past === 0 ? 0 : scale - past
}

/** An image of the frame, of the world up to the height `cut`. Takes 5 bytes per pixel, for any number of columns. */
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
