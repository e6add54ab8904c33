import { createAuditEntry } from '../../../shared/domain/audit/audit-entry.ts'
import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { announcementEntry } from '../../../shared/domain/players/announcement.ts'
import type { Command } from '../command.ts'
import { getLivePlayers } from '../executor/find-player.ts'
import { getText } from '../executor/read-arguments.ts'

/** `/announce`: sends a Notice to all players on all nodes. */
export const announce: Command = {
  ...knownCommand('announce'),
  description: 'Shows a notice to all players on all nodes.',
  forms: [[{ name: 'text', kind: 'text' }]],
  run: async (context, { actor }, args) => {
    const live = getLivePlayers(context)
    const text = getText(args, 'text')
    await context.audit.append([createAuditEntry(context, actor, announcementEntry({ text }))])
    live.announce(text)
    context.elsewhere?.announce(text)
    return { ok: true, text: 'Announced.' }
  },
}
