import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import type { SanctionsInForce } from '../../../shared/domain/sanctions/in-force/sanctions-in-force.ts'
import type { TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createKeyedQueue } from '../../../shared/kernel/queue.ts'
import { repeat } from '../../../shared/kernel/repeat.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import type { LiveAccounts } from './live-accounts.ts'

/** How far a question for revocations reaches back beyond the one before, for clocks that differ and writes under way. */
const overlapMs = 10_000

/** Accounts that are read at the same time. */
const readsAtOnce = 50

export type RevocationWatchDeps = {
  readonly live: LiveAccounts
  readonly accountStore: AccountStore
  readonly tokens: TokenStore
  readonly events: EventBus
  readonly permissions: Permissions
  readonly sanctionsInForce: Pick<SanctionsInForce, 'catchUp' | 'onChange'>
  readonly clock: Clock
  readonly log: Log
}

export type RevocationWatchIntervals = { readonly accountsMs: number; readonly revocationsMs: number }

/** Brings changes of accounts, sign-ins, groups and sanctions to the sessions: by events, and by asking in case one was lost. */
export type RevocationWatch = {
  /** Asks at the intervals from now until `close`; resolves when events arrive as well. */
  start(intervals?: RevocationWatchIntervals): Promise<void>
  /** Reads every account with a session again if any account changed since the last time. Never rejects. */
  checkAccounts(): Promise<void>
  /** Ends the sessions of sign-ins that were revoked since the last time. Never rejects. */
  checkRevocations(): Promise<void>
  close(): void
}

const defaultIntervals: RevocationWatchIntervals = { accountsMs: 500, revocationsMs: 2000 }

/** A watch that stands still until it is started; players play on whatever is out of reach. */
export const createRevocationWatch = (deps: RevocationWatchDeps): RevocationWatch => {
  const { live, accountStore, tokens, events, permissions, sanctionsInForce, clock, log } = deps
  const stops: (() => void)[] = []
  /** What could not be read when it was asked for last. */
  const unread = new Set<string>()
  let knownVersion: string | undefined
  // The first question is for all that is remembered: sessions of nodes before were read we do not know how long ago.
  let askedAt = 0

  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      if (unread.delete(what)) log.info({}, `${what} can be read again`)
    } catch (error) {
      if (!unread.has(what))
        log.warn({ cause: error instanceof Error ? error.message : 'unknown' }, `${what} cannot be read; sessions go on`)
      unread.add(what)
    }
  }

  /** An answer that is late must not overtake a newer one: what was taken away would be back. */
  const inTurn = createKeyedQueue()
  const readAccount = (playerId: string): Promise<void> => {
    live.noteChange(playerId)
    return inTurn(playerId, async () => live.accountRead(playerId, await accountStore.findByPlayerId(playerId)))
  }

  const checkAccounts = (): Promise<void> =>
    attempt('accounts', async () => {
      const version = await accountStore.version()
      if (version === knownVersion) return
      // Whoever is coming in at this moment is not listed yet.
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
      // Who is banned hears that, and not just that their sign-in is over.
      if (revocations.length > 0) await sanctionsInForce.catchUp().catch(() => undefined)
      for (const revocation of revocations) live.signInEnded(revocation)
      askedAt = now
    })

  return {
    start: async (intervals = defaultIntervals) => {
      // Asking begins at once: where no events arrive, it is all there is.
      stops.push(
        permissions.onChange(() => live.groupsChanged()),
        sanctionsInForce.onChange(() => live.sanctionsChanged()),
        repeat(checkAccounts, intervals.accountsMs),
        repeat(async () => live.timePassed(), intervals.accountsMs),
        repeat(checkRevocations, intervals.revocationsMs),
      )
      stops.push(
        // A change of the password ends sign-ins as well.
        await events.subscribe('account-changed', ({ playerId }) =>
          attempt('accounts', async () => {
            // The change was made in another process: what this one read a moment ago will not do.
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
