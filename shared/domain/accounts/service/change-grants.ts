import { AppError } from '../../../kernel/errors.ts'
import { type AccountGrant, endMsOf, isGrantInForce } from '../../permissions/account-grant.ts'
import { describeUnknownGroup } from '../../permissions/groups-config.ts'
import { canCountAt, describeNowhere } from '../../permissions/permission-scopes.ts'
import { type Account, grantsMax } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { normalizeEmail } from '../email.ts'
import { grantFault, type NewGrant } from '../grants/grant-input.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { type Altered, accountMissing, alterAccount, decideAlteration } from './alter-account.ts'
import type { DecideChange } from './rehearse-change.ts'

/** The latest end of a grant: all clients can read a four-digit year. */
const latestEndMs = Date.UTC(9999, 11, 31)

/** The account with these grants; without the key if there are none. */
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
  const assignable = permissions.assignableGroups()
  if (assignable.includes(group)) return
  const message = describeUnknownGroup(group, assignable)
  throw new AppError('unprocessable', 'unknown-group', message, { errors: [{ pointer: '/group', message }] })
}

const refuseUnknownPermission = async (
  { permissions: { names } }: AccountServiceDeps,
  permission: string | undefined,
): Promise<void> => {
  if (permission === undefined) return
  await names.refresh([permission])
  const message = names.describeUnknown(permission)
  if (message === undefined) return
  throw new AppError('unprocessable', 'unknown-permission', message, { errors: [{ pointer: '/permission', message }] })
}

/** Refuses a grant that would never have an effect at its place. */
const refuseOutOfPlace = ({ permissions }: AccountServiceDeps, { group, permission, world, zone }: NewGrant): void => {
  const kind = zone !== undefined ? 'zone' : world !== undefined ? 'world' : undefined
  if (kind === undefined) return
  const isUseful = (rule: string) => permissions.names.match(rule).some((name) => canCountAt(name, kind))
  if (permission !== undefined && !isUseful(permission))
    throw grantFault('/permission', `\`${permission}\` ${describeNowhere(permission, kind)}: grant it without a ${kind}`)
  if (group === undefined) return
  const given = permissions.rulesFor([group]).rules.filter(({ takesAway }) => !takesAway)
  if (given.length > 0 && !given.some(({ pattern }) => isUseful(pattern)))
    throw grantFault('/group', `no permission of \`${group}\` counts in a ${kind} alone: give it without a ${kind}`)
}

/** The methods of `AccountService` that change grants. */
export const createGrantChanges = (deps: AccountServiceDeps): Pick<AccountService, 'addGrant' | 'removeGrant' | 'endGrants'> => ({
  addGrant: async (actor, text, input, ifMatch) => {
    const { group, permission, world, zone, until, reason } = input
    const email = readEmail(text)
    if ((await deps.accountStore.findByEmail(email)) === undefined) throw accountMissing()
    if ((group === undefined) === (permission === undefined))
      throw grantFault('', 'must have a group or a permission, one of the two')
    const nowMs = deps.clock.now()
    refuseEnd(until, nowMs)
    refuseUnknownGroup(deps, group)
    await refuseUnknownPermission(deps, permission)
    refuseOutOfPlace(deps, input)
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
      if (grants.length >= grantsMax) throw grantFault('', `would give the account more than ${grantsMax} grants`)
      return withGrants(current, [...grants, grant])
    }
    await alterAccount(deps, email, decideAlteration(deps, actor, give, { ifMatch }))
    return grant
  },
  removeGrant: async (actor, text, id, ifMatch) => {
    const take = (current: Account): Account => {
      const rest = current.grants?.filter((grant) => grant.id !== id) ?? []
      if (current.grants?.some((grant) => grant.id === id && isGrantInForce(grant, deps.clock.now())) !== true)
        throw new AppError('not-found', 'not-found', 'The account has no grant with that id.')
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
