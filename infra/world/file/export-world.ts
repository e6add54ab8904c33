import { AppError } from '../../../shared/kernel/errors.ts'
import { type DecodeResult, decodeChunk } from '../../../shared/worlds/chunks/chunk-codec.ts'
import type { ChunkRecord } from '../../../shared/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../shared/worlds/world.ts'
import type { WorldContext } from '../world-command.ts'
import { readColumns } from './record-batches.ts'
import { worldFile } from './world-file.ts'
import { writeWorldFile } from './write-world-file.ts'

export type ExportCounts = { readonly columns: number; readonly missing: number }

type Unreadable = Extract<DecodeResult, { readonly ok: false }>

/** A newer record is whole: a repair would leave it where it is. */
const unreadableColumn = (name: string, { cx, cz }: ChunkRecord, { fault, newer }: Unreadable): AppError =>
  new AppError(
    'unavailable',
    'world-unusable',
    newer
      ? `Column ${cx},${cz} of ${name} was ${fault}; nothing was exported. Export it with that version or a later one.`
      : `Column ${cx},${cz} of ${name} is damaged (${fault}); nothing was exported. Set it aside with npm run world -- check ${name} --repair, then export again.`,
  )

/**
 * Writes every column of a world into one file. Each record is whole and as it was durable when its turn came: beside a running node
 * the columns are not of one moment. Throws AppError for a damaged column and for a file that cannot be written; no file is left then.
 */
export const exportWorld = async (
  { task, begin, signal }: WorldContext,
  world: WorldRecord,
  path: string,
): Promise<ExportCounts> => {
  const { chunks, createRegistry } = task
  const { chunkCount } = await chunks.stats(world)
  const progress = begin(`Exporting ${world.name}`, chunkCount)
  let columns = 0
  let missing = 0

  async function* readRecords(): AsyncGenerator<ChunkRecord, void> {
    for await (const batch of readColumns({ chunks, world, signal })) {
      // Unknown ids stay in a registry for good.
      const registry = createRegistry()
      for (const { cx, cz, bytes } of batch) {
        if (bytes === undefined) {
          missing += 1
          continue
        }
        const record = { cx, cz, bytes }
        const decoded = decodeChunk(bytes, record, registry)
        if (!decoded.ok) throw unreadableColumn(world.name, record, decoded)
        columns += 1
        yield record
      }
      progress.advance(batch.length)
    }
  }

  try {
    const { name, seed, generator, settings, createdAt, spawn } = world
    const facts = { name, seed, generator, settings, createdAt, ...(spawn && { spawn }) }
    const header = { format: worldFile.format, ...facts, chunkCount }
    await writeWorldFile(path, { header, records: readRecords() })
  } finally {
    progress.end()
  }
  return { columns, missing }
}
