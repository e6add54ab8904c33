import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isWorldName } from '../../../shared/worlds/new-world.ts'
import { leavingWorld, listLeaving, worldNames } from '../../../shared/worlds/world-names.ts'
import { deleteWorld } from './delete-world.ts'
import { renameWorld } from './rename-world.ts'
import { returnWorld } from './return-world.ts'
import { isThere } from './world-folders.ts'
import type { MoveDeps, WorldMoves } from './world-moves.ts'

/** Of no world. */
const noId = '00000000-0000-0000-0000-000000000000'

/** Folders with chunks of worlds that the records do not know. */
const describeStrays = async ({ dataDir, store, chunks, eraseTables }: MoveDeps): Promise<readonly string[]> => {
  if (eraseTables !== undefined) return []
  const folder = join(dataDir, 'worlds')
  const told: string[] = []
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    if (!isWorldName(name) || !(await isThere(join(folder, name, 'data.mdb')))) continue
    if ((await store.get(worldNames, name.toLowerCase())) !== undefined) continue
    await chunks.stats({ name, id: noId }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      told.push(`worlds/${name}: the records know no world of that name. ${error.publicDetail}`)
    })
  }
  return told
}

/** Moves of worlds by the operator at the machine. */
export const createWorldMoves = (deps: MoveDeps): WorldMoves => {
  const operator = () => ({ email: 'operator', via: 'cli', requestId: deps.ids.uuid() }) as const
  const isActive = (name: string): boolean => deps.activeNames.includes(name)
  return {
    deleteWorld: async (asked) => ({ ...(await deleteWorld(deps, operator(), asked)), isActive: isActive(asked.name) }),
    renameWorld: async (names) => ({ ...(await renameWorld(deps, operator(), names)), isActive: isActive(names.from) }),
    returnWorld: (asked) => returnWorld(deps, operator(), asked),
    describeLeftovers: async () => [
      ...(await listLeaving(deps.store)).map(({ name, leaving }) => `${name}: ${leavingWorld(name, leaving).publicDetail}`),
      ...(await describeStrays(deps)),
    ],
  }
}
