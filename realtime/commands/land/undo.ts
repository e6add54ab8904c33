import { ownUndoMax } from '../../../shared/domain/history/plan-own-undo.ts'
import type { PlannedBlock } from '../../../shared/domain/history/plan-rollback.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Command } from '../command.ts'
import { findNumber } from '../executor/read-arguments.ts'
import { getLand } from './place.ts'

const blocksOf = (count: number): string => (count === 1 ? '1 block' : `${count} blocks`)

/** `/undo`: takes back the caller's own last edits, newest first; again goes further back. */
export const undo: Command = {
  name: 'undo',
  description: 'Takes your last edit back, or your last n; what somebody else has changed since stays.',
  forms: [[{ name: 'n', kind: 'number', optional: true }]],
  permission: 'world.undo',
  privileged: false,
  changesAccount: true,
  run: async (context, { playerId }, args) => {
    const count = findNumber(args, 'n') ?? 1
    if (!Number.isInteger(count) || count < 1 || count > ownUndoMax)
      throw new AppError('invalid', 'bad-request', `A whole number of edits, 1 to ${ownUndoMax}.`)
    const land = getLand(context)
    if (playerId === undefined || context.live === undefined)
      throw new AppError('conflict', 'conflict', 'You can only undo edits while you are in the game.')
    const { live } = context
    let passed = 0
    const mayChange = (block: PlannedBlock): boolean => {
      const may = live.mayUndo(playerId, block)
      if (!may) passed += 1
      return may
    }
    const plan = await land.planOwnUndo({ by: playerId, count, mayChange })
    if (plan.length === 0 && passed === 0)
      return { ok: true, text: 'There is no edit of yours to take back.', data: { blocks: 0, refused: 0 } }
    const { blocks, refused: late } = await live.undoOwn(playerId, plan)
    const undone = { blocks, refused: passed + late }
    const kept = undone.refused === 0 ? '' : `; ${blocksOf(undone.refused)} may not be changed by you any more`
    const is = undone.blocks === 1 ? 'is' : 'are'
    return { ok: true, text: `${blocksOf(undone.blocks)} ${is} as before${kept}.`, data: undone }
  },
}
