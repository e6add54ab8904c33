import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryDisk = '/dev/shm'

/** A requirement of suites that move data between two file systems. */
export const secondDisk = {
  reason: `needs a second file system: ${memoryDisk}, apart from the folder for temporary files`,
  isMet: existsSync(memoryDisk) && statSync(memoryDisk).dev !== statSync(tmpdir()).dev,
  isOptional: true,
} as const

export const createFolderOnSecondDisk = () => {
  const path = mkdtempSync(join(memoryDisk, 'gatehouse-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
