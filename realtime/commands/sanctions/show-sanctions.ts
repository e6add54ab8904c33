import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { describeDuration } from '../../../shared/domain/sanctions/duration.ts'
import { isInForce, type Sanction } from '../../../shared/domain/sanctions/sanction.ts'
import type { Command } from '../command.ts'
import { findText } from '../executor/read-arguments.ts'
import { getSanctionedAccount } from './sanction-target.ts'

const shownAtOnce = 20

const describe = (sanction: Sanction, nowMs: number): string => {
  const { kind, email, address, reason, note, by, at, until, endedAt, endedBy } = sanction
  const ago = (instant: string): string => `${describeDuration(nowMs - Date.parse(instant))} ago`
  const noEnd = kind === 'warning' ? 'not seen yet' : 'permanent'
  const end = until === undefined ? noEnd : `ends in ${describeDuration(Date.parse(until) - nowMs)}`
  const state = isInForce(sanction, nowMs) ? end : endedAt === undefined ? 'expired' : `ended by ${endedBy}`
  return `${ago(at)}: ${kind} of ${email ?? address} by ${by}, ${state}: ${reason}${note === undefined ? '' : ` [${note}]`}`
}

/** `/sanctions`: lists the active sanctions, or all of a player, newest first. */
export const showSanctions: Command = {
  ...knownCommand('sanctions'),
  description: 'Lists the active sanctions, or all sanctions of a player.',
  forms: [[{ name: 'player', kind: 'player', optional: true }]],
  run: async (context, caller, args) => {
    const named = findText(args, 'player')
    const target = named === undefined ? undefined : await getSanctionedAccount(context, caller, named)
    const filter = target === undefined ? { active: true } : target.of
    const { sanctions, nextCursor } = await context.sanctions.listSanctions({ limit: shownAtOnce, ...filter })
    if (sanctions.length === 0)
      return { ok: true, text: target ? `${target.name} has no sanctions.` : 'There are no active sanctions.' }
    const lines = sanctions.map((sanction) => describe(sanction, context.clock.now()))
    const more = nextCursor === undefined ? [] : ['There are more. Open the moderation page, or use GET /api/admin/sanctions.']
    return { ok: true, text: [...lines, ...more].join('\n'), data: { sanctions } }
  },
}
