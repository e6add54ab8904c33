import { AppError } from '../kernel/errors.ts'
import { refuseUnknownGroups } from './account-rules.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, alterAccount, decideAlteration } from './alter-account.ts'
import { normalizeEmail } from './email.ts'

type Combine = (held: readonly string[], asked: readonly string[]) => readonly string[]

const union: Combine = (held, asked) => [...new Set([...held, ...asked])]
const difference: Combine = (held, asked) => held.filter((name) => !asked.includes(name))

const createGroupChange =
  (deps: AccountServiceDeps, combine: Combine): AccountService['addGroups'] =>
  async (actor, text, groups) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    if (groups.length === 0) throw new AppError('invalid', 'bad-request', 'Name at least one group.')
    const decide = decideAlteration(deps, actor, (current) => {
      refuseUnknownGroups(deps.permissions, groups, current.groups)
      return { ...current, groups: [...combine(current.groups, groups)] }
    })
    return alterAccount(deps, email, decide)
  }

/** `AccountService.addGroups`. */
export const createGroupAddition = (deps: AccountServiceDeps): AccountService['addGroups'] => createGroupChange(deps, union)

/** `AccountService.removeGroups`; a group that exists no more can be taken from an account that still names it. */
export const createGroupRemoval = (deps: AccountServiceDeps): AccountService['removeGroups'] =>
  createGroupChange(deps, difference)
