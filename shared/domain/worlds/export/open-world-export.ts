import { AppError } from '../../../kernel/errors.ts'
import type { BlockRegistry } from '../chunks/block-registry.ts'
import { type DecodeResult, decodeChunk } from '../chunks/decode-chunk.ts'
import type { ChunkRecord, ChunkStore } from '../store/chunk-store.ts'
import type { WorldRecord } from '../world.ts'
import type { WorldFileContents } from './lay-out-world.ts'
import { readColumns } from './read-columns.ts'
import { type WorldFileHeader, worldFile } from './world-file.ts'

export type ExportDeps = {
  readonly chunks: Pick<ChunkStore, 'stats' | 'discovered' | 'getMany'>
  /** A separate registry of `blocks.yaml` for one batch of columns. */
  readonly createRegistry: () => BlockRegistry
  /** The states of modules in a world. */
  readonly listStates: (worldId: string) => Promise<NonNullable<WorldFileHeader['modules']>>
  /** Stops the reading with an error when it is aborted. */
  readonly signal: AbortSignal
  /** Awaited after every few columns, so that other work of the process can run. */
  readonly pause?: () => Promise<void>
  /** Called with the number of columns just read. */
  readonly onRead?: (columns: number) => void
}

/**
 * `columns` are in the file. `missing` columns count as generated but have no record, so they are left out. Both grow during the
 * export.
 */
export type ExportCounts = { readonly columns: number; readonly missing: number }

export type WorldExport = { readonly contents: WorldFileContents; readonly counts: () => ExportCounts }

const columnsPerPause = 8

type Unreadable = Extract<DecodeResult, { readonly ok: false }>

/** A newer record is valid, so a repair would not change it. */
const unreadableColumn = (name: string, { cx, cz }: ChunkRecord, { fault, newer }: Unreadable): AppError =>
  new AppError(
    'unavailable',
    'world-unusable',
    newer
      ? `Column ${cx},${cz} of ${name} was ${fault}. Nothing was exported. Export it with that version or a later one.`
      : `Column ${cx},${cz} of ${name} is damaged (${fault}). Nothing was exported. Set it aside with npm run world -- check ${name} --repair, then export again.`,
  )

/**
 * Opens a world for its export, column by column, so memory does not grow with the world. Each record is complete and durable. If a
 * node runs the world, columns may be from different moments. Reading throws AppError `world-unusable` for a damaged column.
 */
export const openWorldExport = async (
  { chunks, createRegistry, listStates, signal, pause, onRead }: ExportDeps,
  world: WorldRecord,
): Promise<WorldExport> => {
  const { name, seed, generator, settings, createdAt, spawn } = world
  const { chunkCount } = await chunks.stats(world)
  const modules = await listStates(world.id)
  const hasModules = Object.keys(modules).length > 0
  let columns = 0
  let missing = 0

  async function* readRecords(): AsyncGenerator<ChunkRecord, void> {
    for await (const batch of readColumns({ chunks, world, signal })) {
      // Unknown ids stay in a registry forever.
      const registry = createRegistry()
      for (const [at, { cx, cz, bytes }] of batch.entries()) {
        if (at % columnsPerPause === 0) await pause?.()
        if (bytes === undefined) {
          missing += 1
          continue
        }
        const record = { cx, cz, bytes }
        const decoded = decodeChunk(bytes, record, registry)
        if (!decoded.ok) throw unreadableColumn(name, record, decoded)
        columns += 1
        yield record
      }
      onRead?.(batch.length)
    }
  }

  const facts = { name, seed, generator, settings, createdAt, ...(spawn && { spawn }) }
  // A file without states can be imported by older versions.
  const format = hasModules ? worldFile.format : worldFile.formatWithoutModules
  const header = { format, ...facts, chunkCount, ...(hasModules && { modules }) }
  return { contents: { header, records: readRecords() }, counts: () => ({ columns, missing }) }
}
