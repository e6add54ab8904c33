import { isGrantInForce } from '../../../shared/domain/permissions/account-grant.ts'
import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import type { Command } from '../command.ts'
import { getNamedAccount } from '../executor/find-player.ts'
import { findNumber, getText } from '../executor/read-arguments.ts'
import { describeTerm } from '../sanctions/timed-reason.ts'

const player = { name: 'player', kind: 'player' } as const
const what = { name: 'group-or-permission', kind: 'word' } as const

/** The name of an existing group is always a group. */
const readWhat = (groups: readonly string[], name: string) =>
  groups.includes(name) || !/^(\*$|[a-z0-9_-]+\.)/.test(name) ? { group: name } : { permission: name }

/** `/grant`: gives an account a group or permission, temporarily or permanently. */
export const grant: Command = {
  ...knownCommand('grant'),
  description: 'Gives a player a group or a permission, temporarily or permanently.',
  forms: [
    [player, what],
    [player, what, { name: 'duration', kind: 'duration' }],
  ],
  run: async (context, caller, args) => {
    const { email, displayName } = await getNamedAccount(context, caller, getText(args, player.name))
    const name = getText(args, what.name)
    const durationMs = findNumber(args, 'duration')
    const until = durationMs === undefined ? {} : { until: new Date(context.clock.now() + durationMs).toISOString() }
    const input = { ...readWhat(context.permissions.assignableGroups(), name), ...until }
    const made = await context.accounts.addGrant(caller.actor, email, input)
    return { ok: true, text: `${displayName} has ${name} ${describeTerm(made, context.clock.now())}.`, data: { grant: made } }
  },
}

/** `/ungrant`: removes all grants of a group or permission, or the grant with that id. */
export const ungrant: Command = {
  ...knownCommand('ungrant'),
  description: 'Removes grants of a group or a permission from a player.',
  forms: [[player, what]],
  run: async (context, caller, args) => {
    const { email, displayName, grants = [] } = await getNamedAccount(context, caller, getText(args, player.name))
    const name = getText(args, what.name)
    const found = grants.filter(
      (grant) => [grant.id, grant.group, grant.permission].includes(name) && isGrantInForce(grant, context.clock.now()),
    )
    for (const { id } of found) await context.accounts.removeGrant(caller.actor, email, id)
    const text =
      found.length === 0 ? `${displayName} has no grant of ${name}.` : `${displayName} no longer has a grant of ${name}.`
    return { ok: true, text, data: { ids: found.map(({ id }) => id) } }
  },
}
