import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { findExplainLink } from '../../../shared/domain/explain/explain-link.ts'
import { countsAsVerified, decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { createUnverifiedRefusal } from '../../../shared/domain/permissions/unverified-refusal.ts'
import { accountBanned } from '../../../shared/domain/sanctions/banned-error.ts'
import type { TokenRecord } from '../../../shared/domain/tokens/tokens.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { HttpDeps } from '../../deps.ts'
import type { RoutePermission } from '../route.ts'

/** Who a request is from, by which token. */
export type Caller = { readonly actor: Actor; readonly account: Account; readonly token: string; readonly grant: TokenRecord }

const bearer = /^Bearer +([A-Za-z0-9._~+/-]{1,256}=*) *$/i

const refuse = () =>
  new AppError('unauthenticated', 'invalid-token', 'The token is malformed, expired or revoked; sign in again.')

/** The owner of a bearer token (RFC 6750). Throws `unauthenticated` for none, a dead one, or one whose account is gone, `forbidden` for one that is banned; one round trip. */
export const authenticate = async (
  {
    tokens,
    accountStore,
    permissions,
    sanctionsInForce,
  }: Pick<HttpDeps, 'tokens' | 'accountStore' | 'permissions' | 'sanctionsInForce'>,
  authorization: string | undefined,
  requestId: string,
): Promise<Caller> => {
  if (authorization === undefined)
    throw new AppError('unauthenticated', 'not-signed-in', 'Send "Authorization: Bearer <token>" with a token from a sign-in.')
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined) throw refuse()
  const grant = await tokens.find(token)
  if (grant === undefined) throw refuse()
  const account = await accountStore.findByPlayerId(grant.playerId)
  if (account === undefined) throw refuse()
  const { email, playerId, displayName } = account
  const ban = sanctionsInForce.findBan(email)
  if (ban !== undefined) throw accountBanned(ban)
  const rules = permissions.rulesOfSignIn(account, grant.verified)
  return {
    token,
    grant,
    account,
    actor: { email, playerId, displayName, verified: grant.verified, rules, via: 'http', requestId },
  }
}

/** An undo may need what only a command needs otherwise. */
type Asked = Exclude<RoutePermission, 'none'> | `command.${string}`

/** Throws `forbidden` for an unverified sign-in, and names the privileged permission. */
export const refuseUnverified = ({ verified, rules }: Pick<Actor, 'verified' | 'rules'>, permission: string): void => {
  if (!countsAsVerified({ verified, rules })) throw createUnverifiedRefusal(rules, permission)
}

/** Passes when `actor` holds the route's permission; else throws `forbidden` and names what is missing. */
export const authorise = (actor: Actor, permission: Asked): void => {
  if (permission === 'signed-in') return
  const decision = decidePermission(actor.rules, permission, { verified: actor.verified, privileged: true })
  if (decision.allowed) return
  if (decision.reason === 'unverified') refuseUnverified(actor, permission)
  const explain = findExplainLink(actor, permission)
  throw new AppError('forbidden', 'missing-permission', `This needs the permission "${permission}".`, {
    ...(explain !== undefined && { members: { explain } }),
  })
}

/** Passes when `actor` holds at least one of `permissions`; else throws as `authorise` does for the first of them. */
export const authoriseAny = (actor: Actor, permissions: readonly Asked[]): void => {
  const [first] = permissions
  const isHeld = (permission: string) =>
    decidePermission(actor.rules, permission, { verified: actor.verified, privileged: true }).allowed
  if (first !== undefined && !permissions.some(isHeld)) authorise(actor, first)
}
