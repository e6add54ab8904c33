import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns a new folder and the function that removes it with its content, also while a killed process still writes there. */
export const createTempDir = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) }
}
