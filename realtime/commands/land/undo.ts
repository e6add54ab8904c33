import { ownUndoMax } from '../../../shared/domain/history/plan-own-undo.ts'
import type { PlannedBlock } from '../../../shared/domain/history/plan-rollback.ts'
import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Command } from '../command.ts'
import { findNumber } from '../executor/read-arguments.ts'
import { getLand } from './area.ts'

const blocksOf = (count: number): string => (count === 1 ? '1 block' : `${count} blocks`)

/** `/undo`: undoes the last edits of the caller, newest first. Repeat it to go further back. */
export const undo: Command = {
  ...knownCommand('undo'),
  description: 'Undoes your last edit, or your last n edits. Blocks that others have changed since stay.',
  forms: [[{ name: 'n', kind: 'number', optional: true }]],
  run: async (context, { playerId }, args) => {
    const count = findNumber(args, 'n') ?? 1
    if (!Number.isInteger(count) || count < 1 || count > ownUndoMax)
      throw new AppError('invalid', 'bad-request', `The number of edits must be a whole number from 1 to ${ownUndoMax}.`)
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
      return { ok: true, text: 'You have no edits to undo.', data: { blocks: 0, refused: 0 } }
    const { blocks, refused: late } = await live.undoOwn(playerId, plan)
    const undone = { blocks, refused: passed + late }
    const kept = undone.refused === 0 ? '' : `; you may no longer change ${blocksOf(undone.refused)}`
    const is = undone.blocks === 1 ? 'is' : 'are'
    return { ok: true, text: `${blocksOf(undone.blocks)} ${is} restored${kept}.`, data: undone }
  },
}
