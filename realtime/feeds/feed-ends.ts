import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { TokenStore } from '../../shared/domain/tokens/tokens.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { LiveAccounts } from '../game/players/apply-account-changes.ts'
import { findTokenOwner } from './door/authenticate-feed.ts'
import { createFeedAccounts } from './door/feed-accounts.ts'
import { type FeedClosing, feedClosings } from './door/feed-closing.ts'
import { createRenewFeed } from './door/renew-feed.ts'
import type { FeedEnd } from './feed-socket.ts'

export type FeedEndsDeps = {
  readonly tokens: Pick<TokenStore, 'find'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly permissions: Pick<Permissions, 'rulesOfSignIn'>
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan'>
  readonly clock: Clock
  /** The total lateness of ticks, see `Lateness`. */
  readonly lateMs: (nowMs: number) => number
  readonly log: Log
  /** Runs a task in the next tick. */
  readonly enqueue: (task: () => void) => void
  /** Runs `then` or `failed` in the tick after `work` settles. */
  readonly later: <T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void) => void
}

/** The open sockets of one kind of feed. A socket closes when its token, account or permission ends. */
export type FeedEnds<E extends FeedEnd> = {
  readonly sockets: Set<E>
  readonly accounts: LiveAccounts
  renew(socket: E, token: string): void
  /** Repeats the checks of the upgrade, for changes before the first tick of the feed. */
  checkAgain(socket: E, token: string): void
  /** Once a tick: closes feeds with expired tokens, and sends heartbeats. */
  beat(nowMs: number): void
  closeAll(closing: FeedClosing): void
}

const heartbeatMs = 15_000

export const createFeedEnds = <E extends FeedEnd>(deps: FeedEndsDeps): FeedEnds<E> => {
  const { clock, later } = deps
  const sockets = new Set<E>()
  const accounts = createFeedAccounts({ ...deps, sockets })
  const renew = createRenewFeed({ ...deps, later })
  let heartbeatAtMs = clock.monotonic() + heartbeatMs

  return {
    sockets,
    accounts,
    renew,
    checkAgain: (socket, token) =>
      later(
        findTokenOwner(deps, token),
        (owner) => {
          if (owner === undefined) socket.close(feedClosings.revoked)
          else accounts.accountRead(socket.account.playerId, owner.account)
        },
        () => socket.close(feedClosings.unavailable),
      ),
    beat: (nowMs) => {
      const now = clock.now()
      for (const socket of [...sockets]) if (socket.grant.expiresAt <= now) socket.close(feedClosings.expired)
      if (nowMs < heartbeatAtMs) return
      heartbeatAtMs = nowMs + heartbeatMs
      for (const socket of [...sockets]) socket.heartbeat()
    },
    closeAll: (closing) => {
      for (const socket of [...sockets]) socket.close(closing)
    },
  }
}
