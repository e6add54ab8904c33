import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../storage/files/atomic-file.ts'
import { prepareDataFolder } from '../storage/files/data-folder.ts'
import { withFileLock } from '../storage/files/file-lock.ts'
import { folderModeAt } from '../storage/files/group-folder.ts'
import type { Environment } from './environment.ts'

/** Who owns a world's live state. */
export type LeaseHolder = {
  /** As a person would name it: host and process. */
  readonly name: string
  readonly machineId: string
  readonly pid: number
}

/** Where systems keep the id of an installation; absent on some, and the same in all containers of an image. */
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
  // No world can be named so.
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
 * This process as holder of a lease whose lock lies in `<dataDir>/worlds`, which is made when absent. The machine id is the same for every
 * process that sees the same locks, across restarts. It is made of where that folder is, of a random id in it and of the system's own id.
 * So neither containers of one image nor copies of a data folder are taken for one machine.
 */
export const readLeaseHolder = async (dataDir: string): Promise<LeaseHolder> => {
  await prepareDataFolder(dataDir)
  const folder = join(dataDir, 'worlds')
  await mkdir(folder, { recursive: true, mode: folderModeAt(folder) })
  const ids = [await realpath(folder), await readFolderId(folder), await readOr(systemIdPath, '').catch(() => '')]
  const machineId = createHash('sha256').update(ids.join('\n')).digest('hex')
  return { name: `${hostname()}, process ${process.pid}`, machineId, pid: process.pid }
}

/** This process as one that may run the worlds of its environment. */
export const readTenure = async ({ dataDir, worldNames }: Environment) => ({
  holder: await readLeaseHolder(dataDir),
  worldNames,
  lockPathOf: (worldName: string) => join(dataDir, 'worlds', `${worldName}.lease`),
})
