import type { Account } from '../../shared/accounts/account.ts'
import { decidePermission, describeDecision, isPrivileged } from '../../shared/permissions/decide-permission.ts'
import type { Command, CommandContext } from './command.ts'
import { readDisabledCommands } from './executor/disabled-commands.ts'
import { findCommand } from './executor/find-command.ts'
import { getText } from './executor/read-arguments.ts'
import { createRefusal } from './executor/refusal.ts'
import { explainBuilding } from './explain-building.ts'
import { getNamedAccount } from './find-player.ts'

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
