import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createKeyedQueue } from '../../../shared/kernel/queue.ts'
import { repeat } from '../../../shared/kernel/repeat.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import type { LiveAccounts } from './apply-account-changes.ts'

/** The overlap of two queries for revocations. It covers clock differences and running writes. */
const overlapMs = 10_000

/** The number of accounts that are read at the same time. */
const readsAtOnce = 50

export type RevocationWatchDeps = {
  readonly live: LiveAccounts
  readonly accountStore: AccountStore
  readonly tokens: TokenStore
  readonly events: EventBus
  readonly permissions: Permissions
  readonly activeSanctions: Pick<ActiveSanctions, 'catchUp' | 'onChange'>
  readonly clock: Clock
  readonly log: Log
}

export type RevocationWatchIntervals = { readonly accountsMs: number; readonly revocationsMs: number }

/**
 * Applies changes of accounts, sign-ins, groups and sanctions to the sessions. It uses events, and also polls in case one was lost.
 */
export type RevocationWatch = {
  /** Polls at the intervals until `close`. Resolves when events arrive as well. */
  start(intervals?: RevocationWatchIntervals): Promise<void>
  /** Reads all accounts with a session again if any account has changed since the last call. Never rejects. */
  checkAccounts(): Promise<void>
  /** Ends the sessions of sign-ins that were revoked since the last call. Never rejects. */
  checkRevocations(): Promise<void>
  close(): void
}

const defaultIntervals: RevocationWatchIntervals = { accountsMs: 500, revocationsMs: 800 }

/** Does nothing until it is started. Players stay in the game while a store is unavailable. */
export const createRevocationWatch = (deps: RevocationWatchDeps): RevocationWatch => {
  const { live, accountStore, tokens, events, permissions, activeSanctions, clock, log } = deps
  const stops: (() => void)[] = []
  /** The data whose last read failed. */
  const unread = new Set<string>()
  let knownVersion: string | undefined
  // The first query covers all stored revocations, because restored sessions may be old.
  let askedAt = 0

  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      if (unread.delete(what)) log.info({}, `${what} can be read again`)
    } catch (error) {
      if (!unread.has(what))
        log.warn({ cause: error instanceof Error ? error.message : 'unknown' }, `${what} cannot be read; sessions continue`)
      unread.add(what)
    }
  }

  /** Reads of one account run in order, so that a late result cannot restore a removed right. */
  const inTurn = createKeyedQueue()
  const readAccount = (playerId: string): Promise<void> => {
    live.noteChange(playerId)
    return inTurn(playerId, async () => live.accountRead(playerId, await accountStore.findByPlayerId(playerId)))
  }

  const checkAccounts = (): Promise<void> =>
    attempt('accounts', async () => {
      const version = await accountStore.version()
      if (version === knownVersion) return
      // Players who are being admitted are not in the list yet.
      live.noteChange()
      const playerIds = live.listPlayerIds()
      for (let at = 0; at < playerIds.length; at += readsAtOnce)
        await Promise.all(playerIds.slice(at, at + readsAtOnce).map(readAccount))
      knownVersion = version
    })

  const checkRevocations = (): Promise<void> =>
    attempt('revocations', async () => {
      const now = clock.now()
      const revocations = await tokens.revokedSince(askedAt - overlapMs)
      // A banned player must see the ban, not only the ended sign-in.
      if (revocations.length > 0) await activeSanctions.catchUp().catch(() => undefined)
      for (const revocation of revocations) live.signInEnded(revocation)
      askedAt = now
    })

  return {
    start: async (intervals = defaultIntervals) => {
      // Polling starts immediately, because events may not arrive.
      stops.push(
        permissions.onChange(() => live.groupsChanged()),
        activeSanctions.onChange(() => live.sanctionsChanged()),
        repeat(checkAccounts, intervals.accountsMs),
        repeat(async () => live.timePassed(), intervals.accountsMs),
        repeat(checkRevocations, intervals.revocationsMs),
      )
      stops.push(
        // A change of the password also ends sign-ins.
        await events.subscribe('account-changed', ({ playerId }) =>
          attempt('accounts', async () => {
            // Another process made the change, so cached data is stale.
            await accountStore.version()
            await readAccount(playerId)
            await checkRevocations()
          }),
        ),
        await events.subscribe('account-removed', ({ playerId }) => {
          live.noteChange(playerId)
          live.accountRead(playerId, undefined)
        }),
        await events.subscribe('sign-in-ended', ({ playerId, signInId }) => {
          live.noteChange(playerId)
          live.signInEnded({ playerId, signInId, at: clock.now() })
        }),
      )
    },
    checkAccounts,
    checkRevocations,
    close: () => {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
