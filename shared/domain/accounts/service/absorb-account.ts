import { AppError } from '../../../kernel/errors.ts'
import { withPasswordHash } from '../../passwords/new-password.ts'
import { isGrantInForce } from '../../permissions/account-grant.ts'
import { coversRules } from '../../permissions/covers-rules.ts'
import { type Account, grantsMax, proveEmail } from '../account.ts'
import type { Actor } from '../actor.ts'
import { refuseLastAdministrator } from '../who-may-grant.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, alterAccount, decideAlteration } from './alter-account.ts'
import { rehearseChange } from './rehearse-change.ts'

const ruleBroken = (detail: string): AppError => new AppError('unprocessable', 'rule-broken', detail)

/** Throws `forbidden` `beyond-own-permissions` and names each group and grant of the accounts with a permission that the actor lacks. */
const refuseBeyond = ({ permissions }: AccountServiceDeps, { rules }: Actor, accounts: readonly Account[]): void => {
  const groups = [...new Set(accounts.flatMap((account) => account.groups))]
    .filter((name) => !coversRules(rules, permissions.rulesFor([name])))
    .map((name) => `the group "${name}"`)
  const grants = accounts
    .flatMap((account) => account.grants ?? [])
    .filter((grant) => !coversRules(rules, permissions.rulesAnywhere({ groups: [], grants: [grant] })))
    .map(({ group, permission }) => `the grant of "${group ?? permission}"`)
  const beyond = [...new Set([...groups, ...grants])]
  if (beyond.length === 0) return
  const detail = `You lack permissions of ${beyond.join(', ')}. Ask an admin who has them to merge these accounts.`
  throw new AppError('forbidden', 'beyond-own-permissions', detail)
}

/** Throws `conflict` `last-administrator` if no account could administer without `from`. */
const refuseLast = async ({ accountStore, isBanned }: AccountServiceDeps, from: Account, united: Account): Promise<void> => {
  const { isAdministrator } = accountStore
  const all = [...(await accountStore.listAdministrators()), ...(isAdministrator(united) ? [united] : [])]
  const administrators = new Set(all.map(({ email }) => email))
  refuseLastAdministrator({ administrators, isAdministrator }, { before: from, after: undefined }, isBanned)
}

/**
 * `AccountService.absorb`. One write of `into`: groups and active grants of `from` are added, and its password if `into` has none.
 * Nothing changes if `into` has them already.
 */
export const createAbsorption =
  (deps: AccountServiceDeps): AccountService['absorb'] =>
  async (actor, into, from, { dryRun = false } = {}) => {
    const target = await deps.accountStore.findByEmail(into)
    if (target === undefined) throw accountMissing()
    if (from.subject !== undefined)
      throw ruleBroken(
        `${from.email} signs in through the identity provider. An account has at most one such identity, and it cannot move. Merge the other account into this one instead.`,
      )
    refuseBeyond(deps, actor, [from, target])
    const unite = (current: Account): Account => {
      const ids = new Set(current.grants?.map(({ id }) => id))
      const added = (from.grants ?? []).filter((grant) => !ids.has(grant.id) && isGrantInForce(grant, deps.clock.now()))
      const grants = [...(current.grants ?? []), ...added]
      if (grants.length > grantsMax)
        throw ruleBroken(`${into} would have more than ${grantsMax} grants. Remove some grants first.`)
      const withRights = (account: Account): Account => ({
        ...account,
        groups: [...new Set([...account.groups, ...from.groups])],
        ...(grants.length > 0 && { grants }),
      })
      if (current.passwordHash !== undefined || from.passwordHash === undefined) return withRights(current)
      // Moving a password vouches for the email, as setting one does.
      return withPasswordHash(withRights(proveEmail(current)), from.passwordHash, from.passwordKind === 'common')
    }
    const decide = decideAlteration(deps, actor, unite)
    if (dryRun) {
      await rehearseChange(deps.accountStore, into, decide)
      const united = unite(target)
      await refuseLast(deps, from, united)
      return united
    }
    const movesPassword = target.passwordHash === undefined && from.passwordHash !== undefined
    if (movesPassword) await deps.tokens.ping()
    const united = await alterAccount(deps, into, decide)
    // Sign-ins by email alone end, as with any new password.
    if (movesPassword) await deps.tokens.revokeAccount(united.playerId)
    return united
  }
