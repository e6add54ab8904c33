import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { AppError } from '../../../../kernel/errors.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { prepareLmdbFolder } from '../../../../platform/storage/lmdb/lmdb-file.ts'
import type { WorldRef } from '../chunk-store.ts'
import { foreignWorld, worldUnusable } from '../chunk-store-rules.ts'
import { damagedWorld, describeFailure, readOnlyWorld } from './lmdb-faults.ts'
import { type ChunksIdentity, checkIdentity, findIdentity } from './lmdb-identity.ts'

export type Chunks = RootDatabase<Buffer, Buffer>

/** The open LMDB environment of one world. */
export type Environment = {
  readonly records: Chunks
  readonly folder: string
  readonly isReadOnly: boolean
  /** Throws AppError `unavailable` if the environment has chunks of another world. */
  checkWorld(world: WorldRef): void
  /** The durable identity that `checkWorld` found. */
  knownIdentity(): ChunksIdentity | undefined
  /** The size of the data file, including free pages. */
  fileBytes(): number
  /** Whether the data file in the folder was replaced or removed. Writes would then be lost. */
  isReplaced(): boolean
  close(): Promise<void>
}

const dataName = 'data.mdb'
const lockName = 'lock.mdb'

/** Whether there is an LMDB data file. Throws AppError if the folder has something else in its place or cannot be read. */
const hasData = (folder: string, world: WorldRef): boolean => {
  let names: string[]
  try {
    names = readdirSync(folder)
    if (names.includes(dataName) && statSync(join(folder, dataName)).size > 0) return true
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT') return false
    if (code === 'ENOTDIR') throw foreignWorld(world, cause)
    throw describeFailure(world, cause)
  }
  if (names.some((name) => name !== dataName && name !== lockName && !name.startsWith('.')))
    throw worldUnusable(
      world,
      'their folder has files, but none of Gatehouse',
      'Move those files away, or restore the folder from a backup.',
    )
  return false
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    for (const name of readdirSync(folder))
      if (name === dataName || name === lockName) accessSync(join(folder, name), constants.W_OK)
    return true
  } catch {
    return false
  }
}

const openRecords = (folder: string, readOnly: boolean): Chunks =>
  // Without overlapping sync, a commit is on disk when it resolves, and no reader sees data that could still be lost. Without batching
  // by turns, there is no internal promise that cannot be caught: one failed commit would end the process.
  open<Buffer, Buffer>({
    path: folder,
    noSubdir: false,
    overlappingSync: false,
    eventTurnBatching: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    readOnly,
  })

const toEnvironment = (records: Chunks, folder: string, isReadOnly: boolean): Environment => {
  const dataPath = join(folder, dataName)
  const { dev, ino } = statSync(dataPath)
  let identity: ChunksIdentity | undefined
  return {
    records,
    folder,
    isReadOnly,
    checkWorld: (world) => {
      identity ??= findIdentity(records, world)
      checkIdentity(world, identity)
    },
    knownIdentity: () => identity,
    fileBytes: () => statSync(dataPath).size,
    isReplaced: () => {
      const now = statSync(dataPath, { throwIfNoEntry: false })
      return now === undefined || now.ino !== ino || now.dev !== dev
    },
    close: () => records.close(),
  }
}

/**
 * Opens the environment in `folder`. Creates it when writing. When reading, returns undefined if there is none, and needs no permission
 * to write. Throws AppError `unavailable` with the reason if it cannot be used.
 */
export const openEnvironment = (
  folder: string,
  world: WorldRef,
  purpose: 'read' | 'only read' | 'write',
): Environment | undefined => {
  const used = hasData(folder, world)
  if (!used && purpose !== 'write') return undefined
  const writable = purpose !== 'only read' && (!used || isWritable(folder))
  if (!writable && purpose === 'write') throw readOnlyWorld(world, 'no permission to write')
  try {
    prepareLmdbFolder(folder)
  } catch (cause) {
    throw cause instanceof AppError || codeOf(cause) !== undefined ? describeFailure(world, cause) : damagedWorld(world, cause)
  }
  let records: Chunks | undefined
  try {
    records = openRecords(folder, !writable)
    const environment = toEnvironment(records, folder, !writable)
    environment.checkWorld(world)
    return environment
  } catch (cause) {
    records?.close().catch(() => undefined)
    throw describeFailure(world, cause)
  }
}
