import { isInForce, type Sanction } from '../../../shared/domain/sanctions/sanction.ts'
import type { Command } from '../command.ts'
import { findText } from '../executor/read-arguments.ts'
import { getSanctionedAccount } from './sanction-target.ts'
import { describeUntil } from './timed-reason.ts'

const shownAtOnce = 20

const describe = (sanction: Sanction, nowMs: number): string => {
  const { kind, email, address, reason, note, by, at, endedAt, endedBy } = sanction
  const state = isInForce(sanction, nowMs)
    ? describeUntil(sanction)
    : `over (${endedAt === undefined ? describeUntil(sanction) : `ended by ${endedBy}`})`
  return `${at} ${kind} of ${email ?? address} by ${by}, ${state}: ${reason}${note === undefined ? '' : ` [${note}]`}`
}

/** `/sanctions`: those in force, or all of one player, newest first. */
export const showSanctions: Command = {
  name: 'sanctions',
  description: 'Lists the sanctions in force, or all of a player.',
  forms: [[{ name: 'player', kind: 'player', optional: true }]],
  permission: 'command.sanctions',
  privileged: true,
  run: async (context, caller, args) => {
    const named = findText(args, 'player')
    const target = named === undefined ? undefined : await getSanctionedAccount(context, caller, named)
    const filter = target === undefined ? { active: true } : target.of
    const { sanctions, nextCursor } = await context.sanctions.listSanctions({ limit: shownAtOnce, ...filter })
    if (sanctions.length === 0)
      return { ok: true, text: target ? `${target.name} was never sanctioned.` : 'Nobody is sanctioned.' }
    const lines = sanctions.map((sanction) => describe(sanction, context.clock.now()))
    const more = nextCursor === undefined ? [] : ['And more: GET /api/admin/sanctions lists all.']
    return { ok: true, text: [...lines, ...more].join('\n'), data: { sanctions } }
  },
}
