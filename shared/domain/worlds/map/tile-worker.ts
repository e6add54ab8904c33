import { PNG } from 'pngjs'
import type { BlocksConfig } from '../blocks-config.ts'
import { type BlockRegistry, registryOf } from '../chunks/block-registry.ts'
import { decodeChunk } from '../chunks/decode-chunk.ts'
import type { ChunkRecord } from '../store/chunk-store.ts'
import { createMapImage } from './map-image.ts'
import { tileColumns, tilePixels } from './tile-grid.ts'

/** A tile of zoom 0: its columns, and those to the north, whose heights shade its first row of pixels. */
export type DrawTileJob = {
  readonly tx: number
  readonly tz: number
  readonly cut: number
  readonly blocks: BlocksConfig
  readonly columns: readonly ChunkRecord[]
}

/** A tile to be made from four tiles of the zoom below: north-west, north-east, south-west, south-east. */
export type JoinTilesJob = { readonly parts: readonly (Uint8Array | undefined)[] }

const rowBytes = tilePixels * 4

const pack = (pixels: Buffer): Uint8Array => {
  const png = new PNG({ width: tilePixels, height: tilePixels })
  png.data = pixels
  return PNG.sync.write(png)
}

let cached: { readonly text: string; readonly registry: BlockRegistry } | undefined

const registryFor = (blocks: BlocksConfig): BlockRegistry => {
  const text = JSON.stringify(blocks)
  if (cached?.text !== text) cached = { text, registry: registryOf(blocks) }
  return cached.registry
}

/** The code of a thread: draws the PNG of a tile. Damaged columns stay transparent. */
export const drawTile = ({ tx, tz, cut, blocks, columns }: DrawTileJob): Uint8Array => {
  const registry = registryFor(blocks)
  const [minCx, firstCz] = [tx * tileColumns, tz * tileColumns]
  const box = { minCx, maxCx: minCx + tileColumns - 1, minCz: firstCz - 1, maxCz: firstCz + tileColumns - 1 }
  const north = tilePixels / tileColumns
  const image = createMapImage({ box, scale: 1, width: tilePixels, height: tilePixels + north }, registry, cut)
  for (const { cx, cz, bytes } of columns) {
    const decoded = decodeChunk(bytes, { cx, cz }, registry)
    if (decoded.ok) image.draw(decoded.chunk)
  }
  return pack(image.finish().subarray(north * rowBytes))
}

/** Joins four pixels into the mean of the drawn ones. */
const join = (pixels: Buffer, at: number, part: Buffer, from: number): void => {
  let count = 0
  const sums = [0, 0, 0]
  for (const pixel of [from, from + 4, from + rowBytes, from + rowBytes + 4]) {
    if (part[pixel + 3] === 0) continue
    count += 1
    for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (part[pixel + channel] ?? 0)
  }
  if (count === 0) return
  for (const channel of [0, 1, 2]) pixels[at + channel] = Math.round((sums[channel] ?? 0) / count)
  pixels[at + 3] = 255
}

/** The code of a thread: joins four tiles into the PNG of one. */
export const joinTiles = ({ parts }: JoinTilesJob): Uint8Array => {
  const pixels = Buffer.alloc(tilePixels * rowBytes)
  const half = tilePixels / 2
  for (const [place, part] of parts.entries()) {
    if (part === undefined) continue
    const { data } = PNG.sync.read(Buffer.from(part))
    const start = (place >> 1) * half * rowBytes + (place & 1) * half * 4
    for (let y = 0; y < half; y += 1)
      for (let x = 0; x < half; x += 1) join(pixels, start + y * rowBytes + x * 4, data, 2 * y * rowBytes + 2 * x * 4)
  }
  return pack(pixels)
}
