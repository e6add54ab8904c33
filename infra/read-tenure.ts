import { join } from 'node:path'
import type { WorldTenure } from '../realtime/world/open-world.ts'
import type { Environment } from '../shared/kernel/env.ts'
import { readLeaseHolder } from './lease-holder.ts'

/** This process as the one that runs the active world. */
export const readTenure = async ({ dataDir, worldName }: Environment): Promise<WorldTenure> => ({
  holder: await readLeaseHolder(dataDir),
  lockPath: join(dataDir, 'worlds', `${worldName}.lease`),
})
