import type { Account } from '../../shared/domain/accounts/account.ts'
import { addModuleChecks, describeVerdict } from '../../shared/domain/explain/check-modules.ts'
import type { KnownLocation } from '../../shared/domain/explain/check-zone.ts'
import { explainAccess } from '../../shared/domain/explain/explain-access.ts'
import {
  findCommandQuestion,
  findLocation,
  findNearCommand,
  findPermissionQuestion,
  type Point,
  type Question,
} from '../../shared/domain/explain/question.ts'
import { buildPermission } from '../../shared/domain/permissions/game-permissions.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { ArgumentValues, Command, CommandCaller, CommandContext } from './command.ts'
import { readCoordinate } from './executor/bind-arguments.ts'
import { createRefusal } from './executor/decide-command.ts'
import { getNamedAccount } from './executor/find-player.ts'
import { findText, getText } from './executor/read-arguments.ts'
import { findModuleCommand } from './find-module-command.ts'
import type { PlayerAction } from './module-control.ts'

const blockOf = ({ x, y, z }: Point): Point => ({ x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) })

const locateHere = ({ gameZones, world }: CommandContext, point: Point): KnownLocation => {
  const there = { world: world.name, point }
  if (!gameZones.isKnown()) return { ...there, zonesUnknown: true }
  const zone = gameZones.zoneAt(point.x, point.y, point.z)
  return { ...there, ...(zone && { zone }) }
}

/** The position of the player on this node, or the one that another node reported last. */
const locate = async (context: CommandContext, { playerId }: Account): Promise<KnownLocation> => {
  const { elsewhere, live } = context
  const position = live?.listPlayers().find((player) => player.playerId === playerId)?.position
  if (position === undefined) {
    const found = await elsewhere?.whereIs(playerId)
    return found === undefined ? {} : findLocation(context, found.world, blockOf(found.position))
  }
  return locateHere(context, blockOf(position))
}

/** The kind of sign-in to explain. Undefined if the word is not valid. */
const readVerified = (word: string | undefined): boolean | undefined =>
  word === undefined || word === 'verified' ? true : word === 'unverified' ? false : undefined

/** The question about a command of a module. */
const findModuleQuestion = ({ commands }: CommandContext, written: string): Question | undefined => {
  const found = findModuleCommand(commands, written)
  if (found === undefined) return undefined
  const { name, permission, privileged } = found
  return { command: { name, permission, privileged }, permission, privileged }
}

type AskedEdit = Point & { readonly type: string }

/** The block of the command line, in the world of this node. */
const readEdit = ({ live }: CommandContext, { playerId }: CommandCaller, args: ArgumentValues): AskedEdit | undefined => {
  const type = findText(args, 'block')
  if (type === undefined) return undefined
  const self = live?.listPlayers().find((player) => player.playerId === playerId)?.position
  const read = (axis: 'x' | 'y' | 'z'): number => Math.floor(readCoordinate(getText(args, axis), self?.[axis] ?? 0))
  return { x: read('x'), y: read('y'), z: read('z'), type }
}

/** The action that modules are asked about. Building without a block is the removal of the block under the player. */
const findAction = ({ command, permission }: Question, { point }: KnownLocation, edit?: AskedEdit): PlayerAction | undefined => {
  if (command !== undefined) return { kind: 'command', name: command.name }
  if (edit !== undefined) return { kind: 'edit', ...edit }
  if (permission !== buildPermission || point === undefined) return undefined
  return { kind: 'edit', ...point, y: point.y - 1, type: 'air' }
}

/** `/why`: lists the checks that decide whether an account may do something, with the rule and its source. */
export const why: Command = {
  ...knownCommand('why'),
  description:
    'Explains why an account may or may not do something. Add `unverified` for a sign-in without the password, or a block and its coordinates for an edit.',
  forms: [
    [
      { name: 'email', kind: 'player' },
      { name: 'permission-or-command', kind: 'word' },
      { name: 'verified-or-unverified', kind: 'word', optional: true },
    ],
    [
      { name: 'email', kind: 'player' },
      { name: 'permission-or-command', kind: 'word' },
      { name: 'block', kind: 'word' },
      { name: 'x', kind: 'coordinate' },
      { name: 'y', kind: 'coordinate' },
      { name: 'z', kind: 'coordinate' },
    ],
  ],
  run: async (context, caller, args) => {
    const written = getText(args, 'permission-or-command')
    const question = findCommandQuestion(written) ?? findModuleQuestion(context, written) ?? findPermissionQuestion(written)
    if (question === undefined) return createRefusal('refused', 'Give a command, or a permission such as world.build.')
    const verified = readVerified(findText(args, 'verified-or-unverified'))
    if (verified === undefined) return createRefusal('refused', 'The last word must be "verified" (the default) or "unverified".')
    const { names } = context.permissions
    await names.refresh([question.permission])
    const unknown = question.command === undefined ? names.describeUnknown(question.permission) : undefined
    if (unknown !== undefined) {
      const command = written.includes('.') ? undefined : findNearCommand(written)
      const text =
        command === undefined ? unknown : `There is no command or permission \`${written}\`. Did you mean \`/${command}\`?`
      return createRefusal('refused', text, { slug: 'unknown-permission' })
    }
    const account = await getNamedAccount(context, caller, getText(args, 'email'))
    // Routes of the API do not depend on a place.
    const edit = readEdit(context, caller, args)
    if (edit !== undefined && registryOf(context.configs.get('blocks.yaml')).find(edit.type) === undefined)
      return createRefusal('refused', `There is no block type \`${edit.type}\`. blocks.yaml lists them.`)
    const isRoute = question.permission.startsWith('admin.')
    const at = isRoute ? {} : edit === undefined ? await locate(context, account) : locateHere(context, edit)
    const rules = await explainAccess(context, account, question, { verified, at })
    const action = findAction(question, at, edit)
    const advice = action === undefined ? [] : await context.modules?.()?.advise(account.playerId, action)
    const explanation = addModuleChecks(rules, advice ?? [], account.displayName)
    const { checks } = explanation
    const what = question.command === undefined ? question.permission : `/${question.command.name}`
    const groups = context.permissions.groupsOfSignIn(account, verified).join(', ') || 'no group'
    const how = verified ? '' : ', by an unverified sign-in'
    const who = `${account.displayName}, in ${groups}${how},`
    const head = describeVerdict(explanation, who, what)
    const text = [head, ...checks.map(({ check, ok, detail }) => `${ok ? '+' : '-'} ${check}: ${detail}`)].join('\n')
    return { ok: true, text, data: explanation }
  },
}
