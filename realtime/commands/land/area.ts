import type { BlockBox } from '../../../shared/domain/history/find-changes.ts'
import type { RollbackInput } from '../../../shared/domain/jobs/rollback.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isUuid } from '../../../shared/kernel/ids.ts'
import { blockMax, blockMin, chunkKey, worldHeight } from '../../../shared/rules/positions.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { CommandCaller, CommandContext } from '../command.ts'
import { findDeletedAccount, getNamedAccount, nameOfDeleted } from '../executor/find-player.ts'
import type { LandControl } from './land-control.ts'

/** Throws `unavailable` if no world runs, as on the command line. */
export const getLand = ({ land }: CommandContext): LandControl => {
  if (land !== undefined) return land
  throw new AppError('conflict', 'conflict', 'Use this command in the game: it needs a running world.')
}

/** The position of the caller. Undefined for the console. */
export const findSelf = ({ live }: CommandContext, { playerId }: CommandCaller) =>
  live?.listPlayers().find((player) => player.playerId === playerId)?.position

/** The blocks up to `radius` around the caller, at every height. Throws AppError `invalid` if the caller has no position. */
export const boxAround = (context: CommandContext, caller: CommandCaller, radius: number): BlockBox => {
  const self = findSelf(context, caller)
  if (self === undefined) throw new AppError('invalid', 'bad-request', 'You cannot use a radius: you have no position.')
  const [x, z, wide] = [Math.floor(self.x), Math.floor(self.z), Math.floor(radius)]
  return { minX: x - wide, maxX: x + wide, minY: 0, maxY: worldHeight - 1, minZ: z - wide, maxZ: z + wide }
}

const wholeWidth: BlockBox = { minX: blockMin, minY: 0, minZ: blockMin, maxX: blockMax, maxY: worldHeight - 1, maxZ: blockMax }

/** The part of a box that is in a zone. */
export const withinZone = (
  { chunks, yMin, yMax }: GameZone,
  box: BlockBox = wholeWidth,
): Pick<RollbackInput, 'box' | 'columns'> => ({
  columns: chunks.map(({ cx, cz }) => chunkKey(cx, cz)),
  box: { ...box, minY: yMin, maxY: yMax },
})

/**
 * The player whose changes are meant: an account, a deleted account, or any playerId. The history keeps playerIds longer than
 * accounts are kept. Throws like `getNamedAccount`.
 */
export const getBuilder = async (
  context: CommandContext,
  caller: CommandCaller,
  named: string,
): Promise<{ readonly playerId: string; readonly displayName: string }> => {
  try {
    return await getNamedAccount(context, caller, named)
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'not-found')) throw error
    const deleted = await findDeletedAccount(context, caller, named)
    if (deleted !== undefined) return { playerId: deleted.playerId, displayName: nameOfDeleted(deleted) }
    const playerId = named.trim().toLowerCase()
    if (isUuid(playerId)) return { playerId, displayName: playerId }
    throw error
  }
}
