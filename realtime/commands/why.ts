import type { Account } from '../../shared/accounts/account.ts'
import { decidePermission, describeDecision, isPrivileged } from '../../shared/permissions/decide-permission.ts'
import { zonePermission } from '../zones/edit-guard.ts'
import type { Command, CommandContext } from './command.ts'
import { createRefusal, findCommand } from './executor/decide-command.ts'
import { readDisabledCommands } from './executor/disabled-commands.ts'
import { getNamedAccount } from './executor/find-player.ts'
import { getText } from './executor/read-arguments.ts'

const buildPermission = 'world.build'

/** What the place of a player adds to an answer of `/why`. */
type BuildingThere = {
  readonly lines: readonly string[]
  /** Absent where there is no place to decide for. */
  readonly place?: {
    readonly x: number
    readonly y: number
    readonly z: number
    readonly zone?: { readonly id: string; readonly name: string }
    readonly mayBuild: boolean
  }
}

const nothing: BuildingThere = { lines: [] }

const decide = ({ permissions }: CommandContext, { groups }: Account, permission: string) => {
  const decision = decidePermission(permissions.rulesFor(groups), permission, { verified: true, privileged: false })
  return { allowed: decision.allowed, line: describeDecision(decision, permission) }
}

/** Whether an account may build where its player stands, by the zone there; nothing for other permissions than those to build. */
const explainBuilding = (context: CommandContext, account: Account, permission: string): BuildingThere => {
  if (permission !== zonePermission && permission !== buildPermission) return nothing
  const isOfZones = permission === zonePermission
  const { gameZones, live } = context
  const { displayName, playerId } = account
  const position = live?.listPlayers().find((player) => player.playerId === playerId)?.position
  if (position === undefined)
    return isOfZones
      ? { lines: [`It counts in enabled zones only, and ${displayName} is not in the game to stand in one.`] }
      : nothing
  if (!gameZones.isKnown()) return { lines: ['The zones of this world could not be read yet: until then nobody may build.'] }
  const [x, y, z] = [Math.floor(position.x), Math.floor(position.y), Math.floor(position.z)]
  const zone = gameZones.zoneAt(x, y, z)
  const world = decide(context, account, buildPermission)
  const inZones = decide(context, account, zonePermission)
  const stands = `${displayName} stands at ${x} ${y} ${z}`
  const mayBuild = world.allowed && (zone === undefined || inZones.allowed)
  const place = { x, y, z, ...(zone && { zone: { id: zone.id, name: zone.name } }), mayBuild }
  const verdict = `${displayName} may ${mayBuild ? '' : 'not '}build there.`
  if (zone === undefined)
    return { place, lines: isOfZones ? [`${stands}, in no zone: building there does not need it. ${verdict}`] : [] }
  const where = `${stands} in zone "${zone.name}" (${zone.id}), where building needs ${zonePermission} too. ${verdict}`
  if (isOfZones) return { place, lines: [where, ...(world.allowed ? [] : [world.line])] }
  return { place, lines: inZones.allowed ? [] : [where, inZones.line] }
}

const permissionName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
const slash = /^\//

/** What is asked about: a command by its name, or a permission with the commands that need it. */
type Question = { readonly command?: Command; readonly permission: string; readonly privileged: boolean }

const parseQuestion = (commands: readonly Command[], written: string): Question | undefined => {
  const name = written.toLowerCase()
  const { command } = findCommand(commands, name.replace(slash, ''))
  if (command !== undefined) return { command, permission: command.permission, privileged: command.privileged }
  if (!permissionName.test(name)) return undefined
  const isMarked = commands.some(({ permission, privileged }) => permission === name && privileged)
  return { permission: name, privileged: isMarked || isPrivileged(name) }
}

const describePrivilege = ({ passwordHash, subject, displayName }: Account): string => {
  const canVerify = passwordHash !== undefined || subject !== undefined
  const remedy = canVerify ? '' : ` ${displayName} has no password, so cannot sign in so.`
  return `It is privileged: it counts only after a sign-in by password or identity provider.${remedy}`
}

const explain = async (context: CommandContext, account: Account, question: Question) => {
  const { permissions, store } = context
  const { command, permission, privileged } = question
  const rules = permissions.rulesFor(account.groups)
  const decision = decidePermission(rules, permission, { verified: true, privileged })
  const open = command?.permission === 'none'
  const switchedOff = command !== undefined && (await readDisabledCommands(store, account.playerId)).has(command.name)
  const { lines: building, place } = explainBuilding(context, account, permission)
  const groups = account.groups.length === 0 ? 'no group' : account.groups.join(', ')
  const lines = [
    `${account.displayName} is in ${groups}.`,
    open ? `/${command.name} needs no permission.` : describeDecision(decision, permission),
    ...building,
    ...(privileged ? [describePrivilege(account)] : []),
    ...(switchedOff ? [`/${command.name} is switched off for ${account.displayName}.`] : []),
    ...(rules.unknownGroups.length === 0
      ? []
      : [`These groups do not exist and have no effect: ${rules.unknownGroups.join(', ')}.`]),
  ]
  const { allowed, reason, rule } = open ? { allowed: true, reason: 'granted' as const, rule: undefined } : decision
  return {
    ok: true,
    text: lines.join('\n'),
    data: {
      allowed: allowed && !switchedOff,
      reason,
      privileged,
      switchedOff,
      unknownGroups: rules.unknownGroups,
      ...(rule && { rule }),
      ...(place && { place }),
    },
  }
}

/** `/why`: the rule that decides whether an account may do something, and where that rule comes from. */
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
    const question = parseQuestion(context.commands, getText(args, 'permission-or-command'))
    if (question === undefined) return createRefusal('refused', 'That is neither a command nor a permission such as world.build.')
    return explain(context, await getNamedAccount(context, caller, getText(args, 'email')), question)
  },
}
