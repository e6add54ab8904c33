import type { OwnUndone } from '../../shared/domain/history/plan-own-undo.ts'
import type { PlannedBlock } from '../../shared/domain/history/plan-rollback.ts'
import { findRestored } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { type BlockPos, type ChunkPos, chunkCoordinate, chunkKey } from '../../shared/rules/positions.ts'
import type { ColumnHolder } from '../world/columns/loaded-world.ts'
import { openColumns } from '../world/columns/open-columns.ts'
import type { BlockChange } from '../world/edits/edit-journal.ts'
import type { Game } from './game.ts'

/** Farther than the views of players, so that players come first. */
const distance = 64

const keyOf = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

const columnsOf = (blocks: readonly BlockPos[]): readonly ChunkPos[] => [
  ...new Map(
    blocks.map(({ x, z }) => {
      const pos = { cx: chunkCoordinate(x), cz: chunkCoordinate(z) }
      return [chunkKey(pos.cx, pos.cz), pos] as const
    }),
  ).values(),
]

/** The steps that still match the plan and that the player may make, one after another. */
const decideSteps = (game: Game, playerId: string, plan: readonly PlannedBlock[]) => {
  const { world, sessions } = game
  const session = sessions.find(playerId)
  const now = new Map<string, number | undefined>()
  const changes: BlockChange[] = []
  let refused = 0
  for (const { x, y, z, expected, restored } of plan) {
    const [from, to] = [world.registry.indexOf(expected), findRestored(world.registry, restored)]
    const key = keyOf({ x, y, z })
    const there = now.has(key) ? now.get(key) : world.loaded.blockAt(x, y, z)
    if (session === undefined || to === undefined || there !== from) continue
    if (world.edits.mayEdit(session, { x, y, z, type: restored })) {
      changes.push({ x, y, z, index: to })
      now.set(key, to)
    } else {
      refused += 1
      now.set(key, undefined)
    }
  }
  return { changes, refused }
}

/** Whether a player may put a block back now. */
export const mayUndo = ({ sessions, world }: Game, playerId: string, { x, y, z, restored }: PlannedBlock): boolean => {
  const session = sessions.find(playerId)
  return session !== undefined && world.edits.mayEdit(session, { x, y, z, type: restored })
}

/** Undoes edits of a player within a tick, as far as the player may edit there now. The changes are durable when it resolves. */
export const undoOwn = async (game: Game, playerId: string, plan: readonly PlannedBlock[]): Promise<OwnUndone> => {
  const { loaded, journal } = game.world
  const holder: ColumnHolder = { distanceTo: () => distance }
  const columns = columnsOf(plan)
  try {
    await openColumns(await Promise.all(columns.map((pos) => loaded.load(pos, holder))))
    return await new Promise((resolve, reject) => {
      game.enqueue(() => {
        const { changes, refused } = decideSteps(game, playerId, plan)
        const settled = (reason: string | undefined): void => {
          if (reason === undefined) resolve({ blocks: changes.length, refused })
          else reject(new AppError('unavailable', 'service-unavailable', `Blocks could not be changed (${reason}).`))
        }
        journal.apply({ changes, by: playerId, via: 'command', settled })
      })
    })
  } finally {
    for (const pos of columns) loaded.letGo(pos, holder)
  }
}
