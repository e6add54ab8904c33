import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { accountBanned } from '../../../shared/domain/sanctions/banned-error.ts'
import type { TokenRecord, TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import { type MarkedZone, markZone } from '../../../shared/domain/zones/list-zones.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { findFeedZone } from '../../routing/feed-path.ts'
import { type FeedCredential, readFeedCredential } from './feed-credential.ts'
import { type FeedNeed, findFeedRefusal } from './feed-permissions.ts'
import { isOwnOrigin, type OriginRules } from './is-own-origin.ts'

/** An upgrade request for a feed. */
export type FeedKnock = { readonly headers: IncomingHttpHeaders; readonly requestId: string }

/** An upgrade request for the feed of a zone. */
export type FeedRequestHead = FeedKnock & { readonly zoneId: string }

/** A caller that may read a feed. */
export type Admitted = {
  readonly account: Account
  readonly grant: TokenRecord
  readonly token: string
  readonly requestId: string
  readonly need: FeedNeed
}

/** A caller that may read the feed of that zone. */
export type AdmittedFeed = Admitted & { readonly zone: MarkedZone }

export type AuthenticateFeedDeps = {
  readonly tokens: Pick<TokenStore, 'find'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly permissions: Pick<Permissions, 'rulesOfSignIn'>
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan'>
  readonly origins: OriginRules
}

const noToken = (credential: 'none' | 'malformed'): AppError =>
  credential === 'none'
    ? new AppError(
        'unauthenticated',
        'not-signed-in',
        'Send "Authorization: Bearer <token>", or the subprotocols "gatehouse.feed.v1" and "bearer.<token>", with a token from a sign-in.',
      )
    : invalidToken()

const invalidToken = (): AppError =>
  new AppError('unauthenticated', 'invalid-token', 'The token is malformed, expired or revoked. Sign in again.')

/** The account of a token, as stored now. Undefined if the token is dead or the account is deleted. Throws `unavailable`. */
export const findTokenOwner = async (
  { tokens, accountStore }: Pick<AuthenticateFeedDeps, 'tokens' | 'accountStore'>,
  token: string,
): Promise<Pick<Admitted, 'account' | 'grant'> | undefined> => {
  const grant = await tokens.find(token)
  const account = grant === undefined ? undefined : await accountStore.findByPlayerId(grant.playerId)
  return grant === undefined || account === undefined ? undefined : { grant, account }
}

const readToken = (credential: FeedCredential): string => {
  if (typeof credential === 'string') throw noToken(credential)
  return credential.token
}

/**
 * Throws AppError: `forbidden` for a page of another origin, a banned account or a missing permission (`need`), `unauthenticated`,
 * `unavailable`.
 */
export const authenticateFeed = async (
  deps: AuthenticateFeedDeps,
  { headers, requestId }: FeedKnock,
  need: FeedNeed,
): Promise<Admitted> => {
  if (!isOwnOrigin(headers, deps.origins))
    throw new AppError(
      'forbidden',
      'origin-not-allowed',
      'Pages of this origin may not open a feed. Add the origin to `http.allowedOrigins` in `server.yaml` to allow it.',
    )
  const token = readToken(readFeedCredential(headers))
  const owner = await findTokenOwner(deps, token)
  if (owner === undefined) throw invalidToken()
  const ban = deps.activeSanctions.findBan(owner.account.email)
  if (ban !== undefined) throw accountBanned(ban)
  const refusal = findFeedRefusal(deps.permissions, owner, need)
  if (refusal !== undefined) throw refusal
  return { ...owner, token, requestId, need }
}

/** Throws like `authenticateFeed`, and `not-found` if the zone does not exist. */
export const authenticateZoneFeed = async (
  deps: AuthenticateFeedDeps & { readonly store: Pick<Store, 'get'> },
  { zoneId, ...knock }: FeedRequestHead,
): Promise<AdmittedFeed> => {
  const admitted = await authenticateFeed(deps, knock, { permission: 'admin.instances.read', place: { zone: zoneId } })
  const zone = await findFeedZone(deps.store, zoneId)
  if (zone === undefined) throw new AppError('not-found', 'not-found', 'There is no zone with that id.')
  return { zone: await markZone(deps.accountStore, zone), ...admitted }
}
