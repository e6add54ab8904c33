import { type ExportCounts, openWorldExport } from '../../../shared/domain/worlds/export/open-world-export.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import type { WorldContext } from '../world-command.ts'
import { writeWorldFile } from './write-world-file.ts'

/**
 * Writes every column of a world into one file. Throws AppError for a damaged column and for a file that cannot be written;
 * then no file is left.
 */
export const exportWorld = async (
  { task, begin, signal }: WorldContext,
  world: WorldRecord,
  path: string,
): Promise<ExportCounts> => {
  const { chunks, createRegistry, moduleStates } = task
  const { list: listStates } = moduleStates
  const opened = await openWorldExport(
    { chunks, createRegistry, listStates, signal, onRead: (columns) => progress.advance(columns) },
    world,
  )
  const progress = begin(`Exporting ${world.name}`, opened.contents.header.chunkCount)
  try {
    await writeWorldFile(path, opened.contents)
  } finally {
    progress.end()
  }
  return opened.counts()
}
