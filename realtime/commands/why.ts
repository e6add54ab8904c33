import type { Account } from '../../shared/domain/accounts/account.ts'
import type { KnownLocation } from '../../shared/domain/explain/check-zone.ts'
import { explainAccess } from '../../shared/domain/explain/explain-access.ts'
import { findLocation, type Point } from '../../shared/domain/explain/find-location.ts'
import {
  findCommandQuestion,
  findNearCommand,
  findPermissionQuestion,
  type Question,
} from '../../shared/domain/explain/parse-question.ts'
import type { Command, CommandContext } from './command.ts'
import { createRefusal } from './executor/decide-command.ts'
import { getNamedAccount } from './executor/find-player.ts'
import { findText, getText } from './executor/read-arguments.ts'

const blockOf = ({ x, y, z }: Point): Point => ({ x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) })

/** The position of the player on this node, or the one that another node reported last. */
const locate = async (context: CommandContext, { playerId }: Account): Promise<KnownLocation> => {
  const { elsewhere, gameZones, live, world } = context
  const position = live?.listPlayers().find((player) => player.playerId === playerId)?.position
  if (position === undefined) {
    const found = await elsewhere?.whereIs(playerId)
    return found === undefined ? {} : findLocation(context, found.world, blockOf(found.position))
  }
  const point = blockOf(position)
  const there = { world: world.name, point }
  if (!gameZones.isKnown()) return { ...there, zonesUnknown: true }
  const zone = gameZones.zoneAt(point.x, point.y, point.z)
  return { ...there, ...(zone && { zone }) }
}

/** The kind of sign-in to explain. Undefined if the word is not valid. */
const readVerified = (word: string | undefined): boolean | undefined =>
  word === undefined || word === 'verified' ? true : word === 'unverified' ? false : undefined

/** The question about a command of a module. */
const findModuleQuestion = ({ commands }: CommandContext, written: string): Question | undefined => {
  const wanted = written.toLowerCase().replace(/^\//, '')
  const found = commands.find(({ module, name, fullName }) => module !== undefined && (name === wanted || fullName === wanted))
  if (found === undefined) return undefined
  const { name, permission, privileged } = found
  return { command: { name, permission, privileged }, permission, privileged }
}

/** `/why`: lists the checks that decide whether an account may do something, with the rule and its source. */
export const why: Command = {
  name: 'why',
  description: 'Explains why an account may or may not do something. Add `unverified` for a sign-in without the password.',
  forms: [
    [
      { name: 'email', kind: 'player' },
      { name: 'permission-or-command', kind: 'word' },
      { name: 'verified-or-unverified', kind: 'word', optional: true },
    ],
  ],
  permission: 'command.why',
  privileged: true,
  run: async (context, caller, args) => {
    const written = getText(args, 'permission-or-command')
    const question = findCommandQuestion(written) ?? findModuleQuestion(context, written) ?? findPermissionQuestion(written)
    if (question === undefined) return createRefusal('refused', 'Give a command, or a permission such as world.build.')
    const verified = readVerified(findText(args, 'verified-or-unverified'))
    if (verified === undefined) return createRefusal('refused', 'The last word must be "verified" (the default) or "unverified".')
    const unknown = question.command === undefined ? context.permissions.names.describeUnknown(question.permission) : undefined
    if (unknown !== undefined) {
      const command = written.includes('.') ? undefined : findNearCommand(written)
      const text =
        command === undefined ? unknown : `There is no command or permission \`${written}\`. Did you mean \`/${command}\`?`
      return createRefusal('refused', text, { slug: 'unknown-permission' })
    }
    const account = await getNamedAccount(context, caller, getText(args, 'email'))
    // Routes of the API do not depend on a place.
    const at = question.permission.startsWith('admin.') ? {} : await locate(context, account)
    const explanation = await explainAccess(context, account, question, { verified, at })
    const { allowed, checks } = explanation
    const what = question.command === undefined ? question.permission : `/${question.command.name}`
    const groups = context.permissions.groupsOfSignIn(account, verified).join(', ') || 'no group'
    const how = verified ? '' : ', by an unverified sign-in'
    const head = `${account.displayName}, in ${groups}${how}, may ${allowed ? '' : 'not '}use ${what}.`
    const text = [head, ...checks.map(({ check, ok, detail }) => `${ok ? '+' : '-'} ${check}: ${detail}`)].join('\n')
    return { ok: true, text, data: explanation }
  },
}
