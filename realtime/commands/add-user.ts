import { viewAccount } from '../../shared/domain/accounts/account-view.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Command } from './command.ts'
import { findList, findText, getText } from './executor/read-arguments.ts'

/** `/adduser`: creates an account with a password. */
export const addUser: Command = {
  ...knownCommand('adduser'),
  description:
    'Adds an account. Without groups it gets the default groups. Add force to allow a display name that another account has.',
  forms: [
    [
      { name: 'email', kind: 'email' },
      { name: 'password', kind: 'word', secret: true },
      { name: 'displayName', kind: 'word', optional: true },
      { name: 'groups', kind: 'list', optional: true },
      { name: 'force', kind: 'word', optional: true },
    ],
  ],
  run: async ({ accounts }, { actor }, args) => {
    const displayName = findText(args, 'displayName')
    const groups = findList(args, 'groups')
    const word = findText(args, 'force')
    if (word !== undefined && word !== 'force') throw new AppError('invalid', 'bad-request', 'The last argument must be force.')
    const account = await accounts.createAccount(actor, {
      email: getText(args, 'email'),
      password: getText(args, 'password'),
      ...(displayName === undefined ? {} : { displayName }),
      ...(groups === undefined ? {} : { groups }),
      force: word !== undefined,
    })
    const named = account.groups.length === 0 ? 'no group' : account.groups.join(', ')
    return { ok: true, text: `Added ${account.displayName} (${account.email}) with ${named}.`, data: viewAccount(account) }
  },
}
