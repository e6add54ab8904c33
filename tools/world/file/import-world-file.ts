import { type DecodeResult, decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { badWorldFile } from '../../../shared/domain/worlds/export/world-file.ts'
import { checkNewWorld } from '../../../shared/domain/worlds/new-world.ts'
import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import type { WorldContext } from '../world-command.ts'
import type { WorldStage } from '../world-task.ts'
import { readWorldFile, type WorldFileReader } from './read-world-file.ts'
import { createRecordBatches } from './record-batches.ts'

/** Unknown ids stay in a registry. */
const columnsPerRegistry = 64

const describeFault = ({ cx, cz }: ChunkRecord, { fault, newer }: Extract<DecodeResult, { readonly ok: false }>): string =>
  newer ? `its column ${cx},${cz} was ${fault}. Update this server.` : `its column ${cx},${cz} is damaged (${fault}).`

const bringIn = async ({ task, begin, signal }: WorldContext, file: WorldFileReader, stage: WorldStage): Promise<number> => {
  const progress = begin(`Importing ${stage.world.name}`, file.header.chunkCount)
  const batches = createRecordBatches(stage)
  let registry = task.createRegistry()
  let columns = 0
  try {
    for await (const record of file.records) {
      signal.throwIfAborted()
      if (columns % columnsPerRegistry === 0) registry = task.createRegistry()
      const decoded = decodeChunk(record.bytes, record, registry)
      if (!decoded.ok) throw badWorldFile(describeFault(record, decoded))
      await batches.add(record)
      columns += 1
      progress.advance()
    }
    await batches.flush()
    return columns
  } finally {
    progress.end()
  }
}

/**
 * Imports an exported world under a name. The world only exists when the whole file is read and verified. Throws AppError for a
 * file that cannot be imported and for a name in use; then nothing is left behind.
 */
export const importWorldFile = async (
  context: WorldContext,
  path: string,
  name: string,
): Promise<{ readonly world: WorldRecord; readonly columns: number }> => {
  const file = await readWorldFile(path)
  const { seed, generator, settings, spawn, modules = {} } = file.header
  const { moduleStates } = context.task
  let stage: WorldStage | undefined
  try {
    checkNewWorld({ name, seed, generator, settings })
    stage = await context.task.openStage(name)
    const columns = await bringIn(context, file, stage)
    const { id } = stage.world
    await moduleStates.put(id, modules)
    const world = await stage.publish({ seed, generator, settings, ...(spawn && { spawn }) }).catch(async (error: unknown) => {
      await moduleStates.erase(id)
      throw error
    })
    return { world, columns }
  } finally {
    file.close()
    await stage?.close()
  }
}
