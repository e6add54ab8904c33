import { PassThrough } from 'node:stream'
import { PNG } from 'pngjs'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { readColumns } from '../../../shared/domain/worlds/export/read-columns.ts'
import { createMapImage, type MapFrame } from '../../../shared/domain/worlds/map/map-image.ts'
import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { type ChunkBox, type ChunkPos, chunkBlocks } from '../../../shared/rules/positions.ts'
import { writeWholeFile } from '../file/write-world-file.ts'
import { countOf } from '../words.ts'
import type { WorldContext } from '../world-command.ts'

type MapCounts = { readonly columns: number; readonly damaged: readonly ChunkPos[] }

/** The PNG encoder is a legacy stream, so it is piped: newer readers do not keep its chunks in order. */
const packImage = ({ width, height }: MapFrame, pixels: Buffer): PassThrough => {
  const png = new PNG({ width, height })
  png.data = pixels
  const packed = new PassThrough()
  png.on('error', (error) => packed.destroy(error))
  png.pack().pipe(packed)
  return packed
}

/** Draws the discovered columns of a frame into a PNG file. A damaged column stays transparent and is in the answer. */
export const drawMap = async (
  { task, begin, signal }: WorldContext,
  world: WorldRecord,
  { frame, path }: { readonly frame: MapFrame; readonly path: string },
): Promise<MapCounts> => {
  const { chunks } = task
  const registry = task.createRegistry()
  const image = createMapImage(frame, registry)
  const progress = begin(`Drawing ${world.name}`, 0)
  const damaged: ChunkPos[] = []
  let columns = 0
  try {
    for await (const batch of readColumns({ chunks, world, box: frame.box, signal })) {
      for (const { cx, cz, bytes } of batch) {
        if (bytes === undefined || !image.shows(cx, cz)) continue
        const decoded = decodeChunk(bytes, { cx, cz }, registry)
        if (decoded.ok) image.draw(decoded.chunk)
        else damaged.push({ cx, cz })
        columns += 1
      }
      progress.advance(batch.length)
    }
  } finally {
    progress.end()
  }
  await writeWholeFile(path, [packImage(frame, image.finish())])
  return { columns, damaged }
}

/** 4 bytes each for the colours, so at most 256 MiB, and as much again during compression. */
const pixelsMax = 8192 * 8192
const sideMax = 16_384

export const scaleMax = 1024

const frameOf = (box: ChunkBox, scale: number): MapFrame => ({
  box,
  scale,
  width: Math.ceil(((box.maxCx - box.minCx + 1) * chunkBlocks) / scale),
  height: Math.ceil(((box.maxCz - box.minCz + 1) * chunkBlocks) / scale),
})

const fits = ({ width, height }: MapFrame): boolean => width <= sideMax && height <= sideMax && width * height <= pixelsMax

/** Throws AppError `invalid` for a map of too many pixels, and names the scale that would do. */
export const createMapFrame = (box: ChunkBox, scale: number): MapFrame => {
  const frame = frameOf(box, scale)
  if (fits(frame)) return frame
  let better = scale
  while (better < scaleMax && !fits(frameOf(box, better))) better += 1
  const size = `The map would have ${countOf(frame.width)} × ${countOf(frame.height)} pixels, which is too many for an image.`
  const fix = fits(frameOf(box, better)) ? `Use --scale ${better}, or a smaller --box.` : 'Use a smaller --box.'
  throw new AppError('invalid', 'bad-request', `${size} ${fix}`)
}

/** The smallest box around all discovered columns in `box`; undefined without any. Reads no column. */
export const findBounds = async (
  chunks: Pick<ChunkStore, 'discovered'>,
  world: WorldRef,
  box?: ChunkBox,
): Promise<ChunkBox | undefined> => {
  let bounds: ChunkBox | undefined
  for await (const { cx, czs } of chunks.discovered(world, box)) {
    const [first, last] = [czs[0], czs.at(-1)]
    if (first === undefined || last === undefined) continue
    bounds = {
      minCx: Math.min(bounds?.minCx ?? cx, cx),
      maxCx: Math.max(bounds?.maxCx ?? cx, cx),
      minCz: Math.min(bounds?.minCz ?? first, first),
      maxCz: Math.max(bounds?.maxCz ?? last, last),
    }
  }
  return bounds
}
