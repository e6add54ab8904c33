import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Command } from './command.ts'
import { getNamedAccount } from './executor/find-player.ts'
import { getList, getText } from './executor/read-arguments.ts'

/** `/rbac:removegroup`: removes an account from groups at once. */
export const rbacRemoveGroup: Command = {
  ...knownCommand('rbac:removegroup'),
  description: 'Removes an account from groups.',
  forms: [
    [
      { name: 'email', kind: 'player' },
      { name: 'groups', kind: 'list' },
    ],
  ],
  run: async (context, caller, args) => {
    const { email } = await getNamedAccount(context, caller, getText(args, 'email'))
    const account = await context.accounts.removeGroups(caller.actor, email, getList(args, 'groups'))
    const groups = account.groups.length === 0 ? 'no group' : account.groups.join(', ')
    return { ok: true, text: `${account.displayName} is now in ${groups}.`, data: { groups: account.groups } }
  },
}

/** `/rbac:addgroup`: adds an account to groups at once. */
export const rbacAddGroup: Command = {
  ...knownCommand('rbac:addgroup'),
  description: 'Adds an account to groups. It keeps its other groups.',
  forms: [
    [
      { name: 'email', kind: 'player' },
      { name: 'groups', kind: 'list' },
    ],
  ],
  run: async (context, caller, args) => {
    const { email } = await getNamedAccount(context, caller, getText(args, 'email'))
    const account = await context.accounts.addGroups(caller.actor, email, getList(args, 'groups'))
    const groups = account.groups.length === 0 ? 'no group' : account.groups.join(', ')
    return { ok: true, text: `${account.displayName} is now in ${groups}.`, data: { groups: account.groups } }
  },
}

/** `/rbac:setgroup`: an alias of `/rbac:addgroup`. */
export const rbacSetGroup: Command = {
  ...rbacAddGroup,
  ...knownCommand('rbac:setgroup'),
  description: 'An alias of /rbac:addgroup.',
}
