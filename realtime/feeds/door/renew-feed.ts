import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import { endlessMs, type TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { FeedEnd } from '../feed-socket.ts'
import { findTokenOwner } from './authenticate-feed.ts'
import { findFeedRefusal } from './feed-permissions.ts'

export type RenewFeedDeps = {
  readonly tokens: Pick<TokenStore, 'find'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly permissions: Pick<Permissions, 'rulesOfSignIn'>
  readonly later: <T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void) => void
  readonly log: Log
}

/**
 * Replaces the token of a feed with a fresh one of the same account, if that token could open the feed too. Otherwise the old token
 * stays active.
 */
export const createRenewFeed = ({ permissions, later, log, ...stores }: RenewFeedDeps) => {
  const refuse = (socket: FeedEnd, code: string, message: string): void => socket.reply({ type: 'error', code, message })

  return (socket: FeedEnd, token: string): void =>
    later(
      findTokenOwner(stores, token),
      (owner) => {
        if (owner === undefined) return refuse(socket, 'invalid-token', 'The token is malformed, expired or revoked.')
        const { grant, account } = owner
        if (account.playerId !== socket.account.playerId)
          return refuse(socket, 'invalid-token', 'The token belongs to another account than the one that opened the feed.')
        const refusal = findFeedRefusal(permissions, owner, socket.need)
        if (refusal !== undefined) return refuse(socket, refusal.slug, refusal.publicDetail)
        socket.grant = grant
        socket.account = account
        const isEndless = grant.expiresAt === endlessMs
        socket.reply({ type: 'renewed', ...(!isEndless && { expiresAt: new Date(grant.expiresAt).toISOString() }) })
      },
      (error) => {
        log.warn({ err: error }, 'a token of a feed could not be checked')
        refuse(socket, 'service-unavailable', 'The token cannot be checked at the moment. Send it again.')
      },
    )
}
