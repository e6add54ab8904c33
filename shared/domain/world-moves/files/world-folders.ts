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

/** What a deleted world was, beside its chunks. */
const DeletedWorld = ClosedObject({ world: WorldRecord, fence: Type.Integer({ minimum: 0 }) })
type DeletedWorld = Static<typeof DeletedWorld>

const parseDeleted = createParser(DeletedWorld)
const noteName = 'world.json'

export const trashDir = (dataDir: string): string => join(dataDir, 'trash')
export const worldFolder = (dataDir: string, name: string): string => join(dataDir, 'worlds', name)
/** Pictures of a world. */
export const mapFolder = (dataDir: string, id: string): string => join(dataDir, 'map', id)
/** Where the chunks of a deleted world lie in its folder. */
export const chunksIn = (folder: string): string => join(folder, 'chunks')

export const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

const faultOf = (cause: unknown): string => {
  const code = String(codeOf(cause))
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'There is no room left on that disk'
  return ['EROFS', 'EACCES', 'EPERM'].includes(code) ? 'That folder may not be written' : `The system says ${code}`
}

/** Moves the folder of a world, to another disk too; nothing where it has none, as after a move that was cut short. */
export const moveFolder = async (from: string, to: string): Promise<void> => {
  try {
    await movePath(from, to)
  } catch (cause) {
    const detail = `The folder ${from} cannot be moved to ${to}, and is as it was. ${faultOf(cause)}: fix that and run the same command again.`
    throw new AppError('unavailable', 'service-unavailable', detail, { cause })
  }
}

/** Says what the chunks in that folder are. */
export const noteDeleted = async (folder: string, deleted: DeletedWorld): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: folderModeAt(folder) })
  await writeFile(join(folder, noteName), `${JSON.stringify(deleted, undefined, 2)}\n`, { flush: true, mode: fileModeIn(folder) })
}

/** The deleted world in that folder; undefined where it is none. Throws AppError `invalid` for one that cannot be read. */
export const findDeleted = async (folder: string): Promise<DeletedWorld | undefined> => {
  const text = await readFile(join(folder, noteName), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const unreadable = (cause?: unknown) =>
    new AppError('invalid', 'bad-request', `${join(folder, noteName)} does not say which world this is.`, { cause })
  try {
    const found = parseDeleted(JSON.parse(text))
    if (found.ok) return found.value
  } catch (cause) {
    throw unreadable(cause)
  }
  throw unreadable()
}

/** The folder is none of the trash any more: its world is back. */
export const forgetDeleted = async (folder: string): Promise<void> => {
  await rm(join(folder, noteName), { force: true })
  await rmdir(folder).catch(() => undefined)
}
