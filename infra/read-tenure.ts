import { join } from 'node:path'
import type { WorldTenure } from '../realtime/world/take-world.ts'
import type { Environment } from '../shared/kernel/env.ts'
import { readLeaseHolder } from './lease-holder.ts'

/** This process as one that may run the worlds of its environment. */
export const readTenure = async ({ dataDir, worldNames }: Environment): Promise<WorldTenure> => ({
  holder: await readLeaseHolder(dataDir),
  worldNames,
  lockPathOf: (worldName) => join(dataDir, 'worlds', `${worldName}.lease`),
})
