import type { AuditActor } from '../../../audit/audit-entry.ts'
import type { WorldStates } from '../../../modules/data/world-states.ts'
import type { BlockRegistry } from '../../../worlds/chunks/block-registry.ts'
import { type DecodeResult, decodeChunk } from '../../../worlds/chunks/decode-chunk.ts'
import { badWorldFile } from '../../../worlds/export/world-file.ts'
import { checkNewWorld } from '../../../worlds/new-world.ts'
import type { ChunkRecord } from '../../../worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../worlds/world.ts'
import { readWorldFile, type WorldFileReader } from './read-world-file.ts'
import { createRecordBatches } from './record-batches.ts'
import type { WorldStage } from './world-stage.ts'

export type ImportDeps = {
  /** Throws AppError `conflict` if a world with this name exists, or another process imports one. */
  readonly openStage: (name: string) => Promise<WorldStage>
  /** A separate registry of `blocks.yaml` for one reader of records. */
  readonly createRegistry: () => BlockRegistry
  readonly moduleStates: Pick<WorldStates, 'put' | 'erase'>
  /** Stops the import with an error when it is aborted. */
  readonly signal: AbortSignal
  /** Awaited after every few columns, so that other work of the process can run. */
  readonly pause?: () => Promise<void>
  /** Called before the first column, with the number of columns that the header states. */
  readonly onBegin?: (columns: number) => void
  readonly onColumn?: () => void
}

/** Unknown ids stay in a registry. */
const columnsPerRegistry = 64
const columnsPerPause = 8

const describeFault = ({ cx, cz }: ChunkRecord, { fault, newer }: Extract<DecodeResult, { readonly ok: false }>): string =>
  newer ? `its column ${cx},${cz} was ${fault}. Update this server.` : `its column ${cx},${cz} is damaged (${fault}).`

const bringIn = async (
  { createRegistry, signal, pause, onColumn }: ImportDeps,
  file: WorldFileReader,
  stage: WorldStage,
): Promise<number> => {
  const batches = createRecordBatches(stage)
  let registry = createRegistry()
  let columns = 0
  for await (const record of file.records) {
    signal.throwIfAborted()
    if (columns % columnsPerPause === 0) await pause?.()
    if (columns % columnsPerRegistry === 0) registry = createRegistry()
    const decoded = decodeChunk(record.bytes, record, registry)
    if (!decoded.ok) throw badWorldFile(describeFault(record, decoded))
    await batches.add(record)
    columns += 1
    onColumn?.()
  }
  await batches.flush()
  return columns
}

/**
 * Imports an exported world under a name. The world only exists when the whole file is read and verified. Throws AppError for a
 * file that cannot be imported and for a name in use; then nothing is left behind.
 */
export const importWorldFile = async (
  deps: ImportDeps,
  { path, name, actor }: { readonly path: string; readonly name: string; readonly actor?: AuditActor },
): Promise<{ readonly world: WorldRecord; readonly columns: number }> => {
  const file = await readWorldFile(path)
  const { seed, generator, settings, spawn, chunkCount, modules = {} } = file.header
  const { moduleStates } = deps
  let stage: WorldStage | undefined
  try {
    checkNewWorld({ name, seed, generator, settings })
    stage = await deps.openStage(name)
    deps.onBegin?.(chunkCount)
    const columns = await bringIn(deps, file, stage)
    const { id } = stage.world
    await moduleStates.put(id, modules)
    const facts = { seed, generator, settings, ...(spawn && { spawn }) }
    const world = await stage.publish(facts, actor).catch(async (error: unknown) => {
      await moduleStates.erase(id)
      throw error
    })
    return { world, columns }
  } finally {
    file.close()
    await stage?.close()
  }
}
