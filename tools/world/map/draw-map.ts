import { PassThrough } from 'node:stream'
import { PNG } from 'pngjs'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { readColumns } from '../../../shared/domain/worlds/export/read-columns.ts'
import { createMapImage, type MapFrame } from '../../../shared/domain/worlds/map/map-image.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { writeWholeFile } from '../file/write-world-file.ts'
import type { WorldContext } from '../world-command.ts'

export type MapCounts = { readonly columns: number; readonly damaged: readonly ChunkPos[] }

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
