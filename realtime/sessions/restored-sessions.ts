import type { Account } from '../../shared/domain/accounts/account.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { readIgnored } from '../../shared/domain/players/ignored-players.ts'
import { readDisabledCommands } from '../../shared/domain/players/player-state.ts'
import type { KeptSession, WorldSessions } from '../../shared/domain/sessions/session-store.ts'
import { isRevokedBy, type TokenStore } from '../../shared/domain/tokens/tokens.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store } from '../../shared/platform/storage/store.ts'

/** A stored session of an earlier node, and its current account. */
export type RestoredSession = {
  readonly kept: KeptSession
  readonly account: Account
  readonly disabled: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
}

export type RestoreDeps = {
  readonly sessions: Pick<WorldSessions, 'take'>
  readonly accountStore: AccountStore
  readonly tokens: Pick<TokenStore, 'revokedSince'>
  readonly store: Store
  readonly log: Log
}

/** The number of sessions that are read at the same time. */
const readsAtOnce = 200

const listValid = async ({ sessions, tokens }: RestoreDeps): Promise<readonly KeptSession[]> => {
  const kept = await sessions.take()
  if (kept.length === 0) return kept
  // Stored revocations reach further back than any stored session.
  const bySession = new Map(kept.map((session) => [session.playerId, session]))
  for (const revocation of await tokens.revokedSince(0)) {
    const session = bySession.get(revocation.playerId)
    if (session !== undefined && isRevokedBy(revocation, session)) bySession.delete(revocation.playerId)
  }
  return [...bySession.values()]
}

/**
 * Reads the stored sessions of earlier nodes. Skips deleted accounts and ended sign-ins. Never rejects: if the store is
 * unavailable, the result is empty and players sign in again.
 */
export const readRestoredSessions = async (deps: RestoreDeps): Promise<readonly RestoredSession[]> => {
  const { accountStore, store, log } = deps
  const readOne = async (kept: KeptSession): Promise<RestoredSession | undefined> => {
    const account = await accountStore.findByPlayerId(kept.playerId)
    const { playerId } = kept
    const [disabled, ignored] = await Promise.all([readDisabledCommands(store, playerId), readIgnored(store, playerId)])
    return account && { kept, account, disabled, ignored }
  }
  try {
    const valid = await listValid(deps)
    const restored: RestoredSession[] = []
    // Accounts may have changed in another process, so cached data is stale.
    if (valid.length > 0) await accountStore.version()
    for (let at = 0; at < valid.length; at += readsAtOnce)
      restored.push(...(await Promise.all(valid.slice(at, at + readsAtOnce).map(readOne))).filter((one) => one !== undefined))
    if (restored.length > 0) log.info({ sessions: restored.length }, 'sessions of the previous node wait for their players')
    return restored
  } catch (error) {
    log.warn({ err: error }, 'sessions of the previous node cannot be read; their players must sign in again')
    return []
  }
}
