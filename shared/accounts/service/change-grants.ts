import { AppError } from '../../kernel/errors.ts'
import { type AccountGrant, endMsOf, isGrantInForce } from '../../permissions/account-grant.ts'
import { type Account, grantsMax } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { refuseUnknownGroups } from '../account-rules.ts'
import { normalizeEmail } from '../email.ts'
import { grantFault } from '../grants/grant-input.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { type Altered, accountMissing, alterAccount, decideAlteration } from './change-groups.ts'
import type { DecideChange } from './rehearse-change.ts'

/** Years that a four-digit date can write, which all clients read. */
const latestEndMs = Date.UTC(9999, 11, 31)

/** The account with these grants; without the key where there are none. */
const withGrants = ({ grants: _, ...account }: Account, grants: readonly AccountGrant[]): Account =>
  grants.length === 0 ? account : { ...account, grants: [...grants] }

const readEmail = (text: string): string => {
  const email = normalizeEmail(text)
  if (email === undefined) throw accountMissing()
  return email
}

const refuseEnd = (until: string | undefined, nowMs: number): void => {
  if (until === undefined) return
  const endMs = endMsOf({ until })
  if (endMs > latestEndMs) throw grantFault('/until', 'is too far away')
  if (endMs <= nowMs) throw grantFault('/until', 'must be in the future')
}

const refuseUnknownGroup = ({ permissions }: AccountServiceDeps, group: string | undefined): void => {
  if (group === undefined) return
  try {
    refuseUnknownGroups(permissions, [group], [])
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    const errors = [{ pointer: '/group', message: 'is not a group that exists' }]
    throw new AppError(cause.kind, cause.slug, cause.publicDetail, { errors })
  }
}

/** `AccountService.addGrant` and the others of grants. */
export const createGrantChanges = (deps: AccountServiceDeps): Pick<AccountService, 'addGrant' | 'removeGrant' | 'endGrants'> => ({
  addGrant: async (actor, text, { group, permission, world, zone, until, reason }, ifMatch) => {
    const email = readEmail(text)
    if ((await deps.accountStore.findByEmail(email)) === undefined) throw accountMissing()
    if ((group === undefined) === (permission === undefined))
      throw grantFault('', 'must have a group or a permission, one of the two')
    const nowMs = deps.clock.now()
    refuseEnd(until, nowMs)
    refuseUnknownGroup(deps, group)
    const grant: AccountGrant = {
      id: deps.ids.uuid(),
      ...(group !== undefined && { group }),
      ...(permission !== undefined && { permission }),
      ...(world !== undefined && { world }),
      ...(zone !== undefined && { zone }),
      ...(until !== undefined && { until: new Date(endMsOf({ until })).toISOString() }),
      ...(reason !== undefined && reason.trim() !== '' && { reason: reason.trim() }),
      by: actor.email,
      at: new Date(nowMs).toISOString(),
    }
    const give = (current: Account): Account => {
      const grants = current.grants ?? []
      if (grants.length >= grantsMax) throw grantFault('', `makes more than ${grantsMax} of the account`)
      return withGrants(current, [...grants, grant])
    }
    await alterAccount(deps, email, decideAlteration(deps, actor, give, { ifMatch }))
    return grant
  },
  removeGrant: async (actor, text, id, ifMatch) => {
    const take = (current: Account): Account => {
      const rest = current.grants?.filter((grant) => grant.id !== id) ?? []
      if (rest.length === (current.grants?.length ?? 0))
        throw new AppError('not-found', 'not-found', 'The account has no grant of that id.')
      return withGrants(current, rest)
    }
    await alterAccount(deps, readEmail(text), decideAlteration(deps, actor, take, { ifMatch }))
  },
  endGrants: async (email) => {
    let ended = 0
    const decide: DecideChange<Altered> = (before) => {
      const grants = before?.grants ?? []
      const rest = grants.filter((grant) => isGrantInForce(grant, deps.clock.now()))
      ended = grants.length - rest.length
      if (before === undefined) throw accountMissing()
      if (ended === 0) return { next: before, result: { account: before, changed: false } }
      const after = withGrants(before, rest)
      const by = { email: 'system', via: 'cli', requestId: deps.ids.uuid() } as const
      return {
        next: after,
        result: { account: after, changed: true },
        audit: auditAccount(deps, by, 'account.grants-ended', { before, after }),
      }
    }
    await alterAccount(deps, email, decide)
    return ended
  },
})
