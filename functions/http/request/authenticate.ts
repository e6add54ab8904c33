import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { findExplainLink } from '../../../shared/domain/explain/explanation.ts'
import { countsAsVerified, decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { createUnverifiedRefusal } from '../../../shared/domain/permissions/limited-sign-in.ts'
import { rightsOf } from '../../../shared/domain/permissions/token-scope.ts'
import { accountBanned } from '../../../shared/domain/sanctions/banned-error.ts'
import type { TokenRecord } from '../../../shared/domain/tokens/tokens.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { HttpDeps } from '../../deps.ts'
import type { RoutePermission } from '../route.ts'

/** The authenticated caller of a request and its token. */
export type Caller = { readonly actor: Actor; readonly account: Account; readonly token: string; readonly grant: TokenRecord }

const bearer = /^Bearer +([A-Za-z0-9._~+/-]{1,256}=*) *$/i

const refuse = () =>
  new AppError('unauthenticated', 'invalid-token', 'The token is malformed, expired or revoked. Sign in again.')

/**
 * Finds the owner of a bearer token (RFC 6750) in one round trip. Throws `unauthenticated` for a missing or dead token or a
 * deleted account, and `forbidden` for a banned account.
 */
export const authenticate = async (
  {
    tokens,
    accountStore,
    permissions,
    activeSanctions,
  }: Pick<HttpDeps, 'tokens' | 'accountStore' | 'permissions' | 'activeSanctions'>,
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
  const ban = activeSanctions.findBan(email)
  if (ban !== undefined) throw accountBanned(ban)
  const rules = permissions.rulesOfSignIn(account, rightsOf(grant))
  return {
    token,
    grant,
    account,
    actor: { email, playerId, displayName, verified: grant.verified, rules, via: 'http', requestId },
  }
}

/** An undo may need the permission of a command. */
type Asked = Exclude<RoutePermission, 'none'> | `command.${string}`

/** Throws `forbidden` for an unverified sign-in, and names the privileged permission. */
export const refuseUnverified = ({ verified, rules }: Pick<Actor, 'verified' | 'rules'>, permission: string): void => {
  if (!countsAsVerified({ verified, rules })) throw createUnverifiedRefusal(rules, permission)
}

/** Throws `forbidden` with the name of the permission unless `actor` has it. */
export const authorise = (actor: Actor, permission: Asked): void => {
  if (permission === 'signed-in') return
  const decision = decidePermission(actor.rules, permission, { verified: actor.verified, privileged: true })
  if (decision.allowed) return
  if (decision.reason === 'unverified') refuseUnverified(actor, permission)
  if (decision.reason === 'outside-token')
    throw new AppError('forbidden', 'missing-permission', `This API token does not include the permission "${permission}".`)
  const explain = findExplainLink(actor, permission)
  throw new AppError(
    'forbidden',
    'missing-permission',
    `This needs the permission "${permission}". Ask an administrator for it.`,
    {
      ...(explain !== undefined && { members: { explain } }),
    },
  )
}

/** Throws `forbidden` with the first of `permissions` unless `actor` has at least one of them. */
export const authoriseAny = (actor: Actor, permissions: readonly Asked[]): void => {
  const [first] = permissions
  const isHeld = (permission: string) =>
    decidePermission(actor.rules, permission, { verified: actor.verified, privileged: true }).allowed
  if (first !== undefined && !permissions.some(isHeld)) authorise(actor, first)
}
