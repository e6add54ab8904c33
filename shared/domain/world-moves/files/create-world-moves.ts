import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { operatorActor } from '../../jobs/job-service.ts'
import { isWorldName } from '../../worlds/new-world.ts'
import { worldNames } from '../../worlds/world-names.ts'
import type { MoveDeps, WorldMoves } from '../world-moves.ts'
import { deleteWorld } from './delete-world.ts'
import { renameWorld } from './rename-world.ts'
import { returnWorld } from './return-world.ts'
import { isThere } from './world-folders.ts'

/** An id that no world has. */
const noId = '00000000-0000-0000-0000-000000000000'

/** Folders with chunks of worlds that have no record. */
const describeStrays = async ({ dataDir, store, chunks, eraseTables }: MoveDeps): Promise<readonly string[]> => {
  if (eraseTables !== undefined) return []
  const folder = join(dataDir, 'worlds')
  const strays: string[] = []
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    if (!isWorldName(name) || !(await isThere(join(folder, name, 'data.mdb')))) continue
    if ((await store.get(worldNames, name.toLowerCase())) !== undefined) continue
    await chunks.stats({ name, id: noId }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      strays.push(`worlds/${name}: there is no record of a world with that name. ${error.publicDetail}`)
    })
  }
  return strays
}

export const createWorldMoves = (deps: MoveDeps): WorldMoves => {
  const operator = () => operatorActor(deps.ids.uuid())
  return {
    deleteWorld: (asked, actor = operator()) => deleteWorld(deps, actor, asked),
    renameWorld: (names, actor = operator()) => renameWorld(deps, actor, names),
    returnWorld: (asked, actor = operator()) => returnWorld(deps, actor, asked),
    trashFolder: (name) => join(deps.dataDir, 'trash', name),
    isActive: (name) => deps.activeNames.includes(name),
    describeStrays: () => describeStrays(deps),
  }
}
