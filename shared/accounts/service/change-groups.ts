import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { refuseUnknownGroups } from '../account-rules.ts'
import { normalizeEmail } from '../email.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, alterAccount, decideAlteration } from './alter-account.ts'
import { grantMapped } from './mapped-groups.ts'

type Combine = (account: Account, asked: readonly string[]) => Account

const add: Combine = (account, asked) => ({ ...grantMapped(account, asked), groups: [...new Set([...account.groups, ...asked])] })
const remove: Combine = (account, asked) => ({ ...account, groups: account.groups.filter((name) => !asked.includes(name)) })

const createGroupChange =
  (deps: AccountServiceDeps, combine: Combine): AccountService['addGroups'] =>
  async (actor, text, groups) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    if (groups.length === 0) throw new AppError('invalid', 'bad-request', 'Name at least one group.')
    const decide = decideAlteration(deps, actor, (current) => {
      refuseUnknownGroups(deps.permissions, groups, current.groups)
      return combine(current, groups)
    })
    return alterAccount(deps, email, decide)
  }

/** `AccountService.addGroups`. */
export const createGroupAddition = (deps: AccountServiceDeps): AccountService['addGroups'] => createGroupChange(deps, add)

/** `AccountService.removeGroups`; a group that exists no more can be taken from an account that still names it. */
export const createGroupRemoval = (deps: AccountServiceDeps): AccountService['removeGroups'] => createGroupChange(deps, remove)
