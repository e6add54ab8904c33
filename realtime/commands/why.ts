import type { Account } from '../../shared/accounts/account.ts'
import type { KnownPlace } from '../../shared/explain/check-zone.ts'
import { explainAccess } from '../../shared/explain/explain-access.ts'
import { findCommandQuestion, findPermissionQuestion } from '../../shared/explain/parse-question.ts'
import type { Command, CommandContext } from './command.ts'
import { createRefusal } from './executor/decide-command.ts'
import { getNamedAccount } from './executor/find-player.ts'
import { getText } from './executor/read-arguments.ts'

/** Where the player stands, if on this node. */
const placeOf = ({ gameZones, live, world }: CommandContext, { playerId }: Account): KnownPlace => {
  const position = live?.listPlayers().find((player) => player.playerId === playerId)?.position
  if (position === undefined) return {}
  const [x, y, z] = [Math.floor(position.x), Math.floor(position.y), Math.floor(position.z)]
  const there = { world: world.name, point: { x, y, z } }
  if (!gameZones.isKnown()) return { ...there, zonesUnknown: true }
  const zone = gameZones.zoneAt(x, y, z)
  return { ...there, ...(zone && { zone }) }
}

/** `/why`: every check that decides whether an account may do something, with the rule and where that comes from. */
export const why: Command = {
  name: 'why',
  description: 'Says why an account may or may not do something.',
  forms: [
    [
      { name: 'email', kind: 'player' },
      { name: 'permission-or-command', kind: 'word' },
    ],
  ],
  permission: 'command.why',
  privileged: true,
  run: async (context, caller, args) => {
    const written = getText(args, 'permission-or-command')
    const question = findCommandQuestion(written) ?? findPermissionQuestion(written)
    if (question === undefined) return createRefusal('refused', 'That is neither a command nor a permission such as world.build.')
    const account = await getNamedAccount(context, caller, getText(args, 'email'))
    // What is done by a route is done at no place.
    const at = question.permission.startsWith('admin.') ? {} : placeOf(context, account)
    const explanation = await explainAccess(context, account, question, { verified: true, at })
    const { allowed, checks } = explanation
    const what = question.command === undefined ? question.permission : `/${question.command.name}`
    const groups = account.groups.length === 0 ? 'no group' : account.groups.join(', ')
    const head = `${account.displayName}, in ${groups}, may ${allowed ? '' : 'not '}use ${what}.`
    const text = [head, ...checks.map(({ check, ok, detail }) => `${ok ? '+' : '-'} ${check}: ${detail}`)].join('\n')
    return { ok: true, text, data: explanation }
  },
}
