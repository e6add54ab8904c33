import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'
import { codeOf } from '../../../platform/storage/files/code-of.ts'
import { fileModeIn, folderModeAt } from '../../../platform/storage/files/group-folder.ts'
import { movePath } from '../../../platform/storage/files/move-folder.ts'
import { WorldRecord } from '../../worlds/world.ts'

/** The note next to the chunks of a deleted world. */
const DeletedWorld = ClosedObject({ world: WorldRecord, fence: Type.Integer({ minimum: 0 }) })
type DeletedWorld = Static<typeof DeletedWorld>

const parseDeleted = createParser(DeletedWorld)
const noteName = 'world.json'

export const trashDir = (dataDir: string): string => join(dataDir, 'trash')
export const worldFolder = (dataDir: string, name: string): string => join(dataDir, 'worlds', name)
/** The map pictures of a world. */
export const mapFolder = (dataDir: string, id: string): string => join(dataDir, 'map', id)
/** The folder with the chunks of a deleted world. */
export const chunksIn = (folder: string): string => join(folder, 'chunks')

export const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

const faultOf = (cause: unknown): string => {
  const code = String(codeOf(cause))
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full'
  return ['EROFS', 'EACCES', 'EPERM'].includes(code) ? 'The folder is not writable' : `The system reports ${code}`
}

/** Moves the folder of a world, also to another disk. Does nothing if it does not exist, as after an interrupted move. */
export const moveFolder = async (from: string, to: string): Promise<void> => {
  try {
    await movePath(from, to)
  } catch (cause) {
    const detail = `The folder ${from} cannot be moved to ${to}. Nothing was changed. ${faultOf(cause)}. Fix that and run the command again.`
    throw new AppError('unavailable', 'service-unavailable', detail, { cause })
  }
}

/** Writes the note of a deleted world. */
export const noteDeleted = async (folder: string, deleted: DeletedWorld): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: folderModeAt(folder) })
  await writeFile(join(folder, noteName), `${JSON.stringify(deleted, undefined, 2)}\n`, { flush: true, mode: fileModeIn(folder) })
}

/** The deleted world in the folder; undefined if there is none. Throws AppError `invalid` if its note cannot be read. */
export const findDeleted = async (folder: string): Promise<DeletedWorld | undefined> => {
  const text = await readFile(join(folder, noteName), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const unreadable = (cause?: unknown) =>
    new AppError('invalid', 'bad-request', `${join(folder, noteName)} does not say which world this is.`, { cause })
  try {
    const parsed = parseDeleted(JSON.parse(text))
    if (parsed.ok) return parsed.value
  } catch (cause) {
    throw unreadable(cause)
  }
  throw unreadable()
}

/** Removes the note, after the world was restored. */
export const forgetDeleted = async (folder: string): Promise<void> => {
  await rm(join(folder, noteName), { force: true })
  await rmdir(folder).catch(() => undefined)
}
