import { join } from 'node:path'
import type { Environment } from '../services/environment.ts'
import { readLeaseHolder } from './lease-holder.ts'

/** This process as one that may run the worlds of its environment. */
export const readTenure = async ({ dataDir, worldNames }: Environment) => ({
  holder: await readLeaseHolder(dataDir),
  worldNames,
  lockPathOf: (worldName: string) => join(dataDir, 'worlds', `${worldName}.lease`),
})
