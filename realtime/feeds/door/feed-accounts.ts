import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { isRevokedBy } from '../../../shared/domain/tokens/tokens.ts'
import type { LiveAccounts } from '../../game/players/apply-account-changes.ts'
import type { FeedEnd } from '../feed-socket.ts'
import { type FeedClosing, feedBanned, feedClosings } from './feed-closing.ts'
import { findFeedRefusal } from './feed-permissions.ts'

export type FeedAccountsDeps = {
  readonly sockets: ReadonlySet<FeedEnd>
  readonly permissions: Pick<Permissions, 'rulesOfSignIn'>
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan'>
  readonly enqueue: (task: () => void) => void
}

/** Returns why a feed must close, given its current account and token. Undefined if it may stay open. */
const findClosing = (
  { permissions, activeSanctions }: Pick<FeedAccountsDeps, 'permissions' | 'activeSanctions'>,
  { account, grant, need }: FeedEnd,
): FeedClosing | undefined => {
  const ban = activeSanctions.findBan(account.email)
  if (ban !== undefined) return feedBanned(ban)
  const refusal = findFeedRefusal(permissions, { account, grant }, need)
  return refusal === undefined ? undefined : { ...feedClosings.forbidden, message: refusal.publicDetail }
}

/** Applies changes of accounts, sign-ins and groups to the feeds, in the next tick. */
export const createFeedAccounts = ({ sockets, enqueue, ...deps }: FeedAccountsDeps): LiveAccounts => {
  const review = (socket: FeedEnd): void => {
    const closing = findClosing(deps, socket)
    if (closing !== undefined) socket.close(closing)
  }
  const reviewAll = (): void =>
    enqueue(() => {
      for (const socket of [...sockets]) review(socket)
    })
  const eachOf = (playerId: string, act: (socket: FeedEnd) => void): void =>
    enqueue(() => {
      for (const socket of [...sockets]) if (socket.account.playerId === playerId) act(socket)
    })

  return {
    listPlayerIds: () => [...new Set(Array.from(sockets, ({ account }) => account.playerId))],
    accountRead: (playerId, account) =>
      eachOf(playerId, (socket) => {
        if (account === undefined) socket.close(feedClosings.accountRemoved)
        else {
          socket.account = account
          review(socket)
        }
      }),
    signInEnded: (revocation) =>
      eachOf(revocation.playerId, (socket) => {
        if (isRevokedBy(revocation, socket.grant)) socket.close(feedClosings.revoked)
      }),
    groupsChanged: reviewAll,
    timePassed: reviewAll,
    sanctionsChanged: reviewAll,
    // Feeds are checked again after they open.
    noteChange: () => {},
  }
}

/** Forwards each call to all parts. */
export const joinLiveAccounts = (parts: readonly LiveAccounts[]): LiveAccounts => ({
  listPlayerIds: () => [...new Set(parts.flatMap((part) => part.listPlayerIds()))],
  accountRead: (playerId, account) => {
    for (const part of parts) part.accountRead(playerId, account)
  },
  signInEnded: (revocation) => {
    for (const part of parts) part.signInEnded(revocation)
  },
  timePassed: () => {
    for (const part of parts) part.timePassed()
  },
  groupsChanged: () => {
    for (const part of parts) part.groupsChanged()
  },
  sanctionsChanged: () => {
    for (const part of parts) part.sanctionsChanged()
  },
  noteChange: (playerId) => {
    for (const part of parts) part.noteChange(playerId)
  },
})
