import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../storage/files/atomic-file.ts'
import { prepareDataFolder } from '../storage/files/data-folder.ts'
import { withFileLock } from '../storage/files/file-lock.ts'
import { folderModeAt } from '../storage/files/group-folder.ts'
import type { Environment } from './environment.ts'

/** The owner of a world's live state. */
export type LeaseHolder = {
  /** A name for people: host and process. */
  readonly name: string
  readonly machineId: string
  readonly pid: number
}

/** The system's file with the id of an installation. Some systems have none, and all containers of an image have the same. */
const systemIdPath = '/etc/machine-id'

const readOr = async (path: string, absent: string): Promise<string> => {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return absent
    throw error
  }
}

const readFolderId = (folder: string): Promise<string> => {
  // Not a valid name of a world.
  const path = join(folder, '.folder-id')
  return withFileLock(path, async () => {
    const id = await readOr(path, '')
    if (id !== '') return id
    const made = randomUUID()
    await replaceFile(path, made)
    return made
  })
}

/**
 * This process as the holder of leases with locks in `<dataDir>/worlds`, which is created if absent. All processes that see the same
 * locks have the same machine id, also after a restart. It is made from the path of that folder, a random id in it, and the system's
 * own id. So containers of one image, or copies of a data folder, count as different machines.
 */
export const readLeaseHolder = async (dataDir: string): Promise<LeaseHolder> => {
  await prepareDataFolder(dataDir)
  const folder = join(dataDir, 'worlds')
  await mkdir(folder, { recursive: true, mode: folderModeAt(folder) })
  const ids = [await realpath(folder), await readFolderId(folder), await readOr(systemIdPath, '').catch(() => '')]
  const machineId = createHash('sha256').update(ids.join('\n')).digest('hex')
  return { name: `${hostname()}, process ${process.pid}`, machineId, pid: process.pid }
}

/** This process as a candidate for the worlds of its environment. */
export const readTenure = async ({ dataDir, worldNames }: Environment) => ({
  holder: await readLeaseHolder(dataDir),
  worldNames,
  lockPathOf: (worldName: string) => join(dataDir, 'worlds', `${worldName}.lease`),
})
