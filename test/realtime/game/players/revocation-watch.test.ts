import { describe, expect, it } from '@jest/globals'
import { createRevocationWatch } from '../../../../realtime/game/players/revocation-watch.ts'
import type { Account } from '../../../../shared/domain/accounts/account.ts'
import type { AccountStore } from '../../../../shared/domain/accounts/store/account-store.ts'
import { createMemoryAccountStore } from '../../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { toUnavailable } from '../../../../shared/platform/storage/redis/redis-fault.ts'
import { noSanctions } from '../../../support/accounts/sanctions-in-memory.ts'
import { createMemoryTokenStore } from '../../../support/auth/memory-tokens.ts'
import { createCapturedLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const createWatch = (playerIds: readonly string[] = [], reads: Partial<Pick<AccountStore, 'findByPlayerId'>> = {}) => {
  const { log, lines } = createCapturedLog()
  const store = createMemoryStore()
  const accountStore = createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(store) })
  const tokens = createMemoryTokenStore({ clock: systemClock, ids: systemIds })
  const state = { isAway: false }
  const read: (string | undefined)[] = []
  const watch = createRevocationWatch({
    live: {
      listPlayerIds: () => playerIds,
      accountRead: (_, account) => void read.push(account?.displayName),
      signInEnded: () => {},
      groupsChanged: () => {},
      timePassed: () => {},
      sanctionsChanged: () => {},
      noteChange: () => {},
    },
    accountStore: { ...accountStore, ...reads },
    tokens: {
      ...tokens,
      revokedSince: (since) => (state.isAway ? Promise.reject(toUnavailable(new Error('away'))) : tokens.revokedSince(since)),
    },
    events: createMemoryEventBus({ log }),
    permissions: createPermissions({ groups: [], defaultGroups: [] }),
    activeSanctions: noSanctions,
    clock: systemClock,
    log,
  })
  return { watch, lines, state, read }
}

describe('an outage in which revocations cannot be read', () => {
  it('is logged once however long it lasts, and once when it ends', async () => {
    const { watch, lines, state } = createWatch()
    await watch.checkRevocations()
    expect(lines).toEqual([])
    state.isAway = true
    for (let at = 0; at < 30; at += 1) await watch.checkRevocations()
    expect(lines).toMatchObject([{ level: 40, msg: 'revocations cannot be read; sessions continue' }])
    await watch.checkAccounts()
    expect(lines).toHaveLength(1)
    state.isAway = false
    await watch.checkRevocations()
    await watch.checkRevocations()
    expect(lines.slice(1)).toMatchObject([{ level: 30, msg: 'revocations can be read again' }])
  })
})

it('ignores a late answer about an account that is older than the current state', async () => {
  const answers: ((name: string) => void)[] = []
  const findByPlayerId = () =>
    new Promise<Account>((resolve) => {
      answers.push((displayName) =>
        resolve({ email: 'ann@example.com', playerId: 'p1', displayName, groups: [], createdAt: '2026-01-01T00:00:00.000Z' }),
      )
    })
  const { watch, read } = createWatch(['p1'], { findByPlayerId })
  const checks = [watch.checkAccounts(), watch.checkAccounts()]
  await waitFor(() => answers.length > 0)
  // The last read is answered first, if both are in flight at once.
  answers[1]?.('newer')
  answers[0]?.('older')
  await waitFor(() => answers.length === 2)
  answers[1]?.('newer')
  await Promise.all(checks)
  expect(read).toEqual(['older', 'newer'])
})
