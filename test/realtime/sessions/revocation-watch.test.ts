import { describe, expect, it } from '@jest/globals'
import { createRevocationWatch } from '../../../realtime/sessions/revocation-watch.ts'
import { createMemoryAccountStore } from '../../../shared/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../shared/audit/store-audit-log.ts'
import { createMemoryTokenStore } from '../../../shared/auth/tokens/tokens-memory.ts'
import { createMemoryEventBus } from '../../../shared/events/memory-events.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createPermissions } from '../../../shared/permissions/permissions.ts'
import { createMemoryStore } from '../../../shared/storage/memory-store.ts'
import { toUnavailable } from '../../../shared/storage/redis/redis-fault.ts'
import { noSanctions } from '../../support/accounts/sanctions-in-memory.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'

const createWatch = () => {
  const { log, lines } = createCapturedLog()
  const store = createMemoryStore()
  const accountStore = createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(store) })
  const tokens = createMemoryTokenStore({ clock: systemClock, ids: systemIds })
  const state = { isAway: false }
  const watch = createRevocationWatch({
    live: {
      listPlayerIds: () => [],
      accountRead: () => {},
      signInEnded: () => {},
      groupsChanged: () => {},
      timePassed: () => {},
      sanctionsChanged: () => {},
      noteChange: () => {},
    },
    accountStore,
    tokens: {
      ...tokens,
      revokedSince: (since) => (state.isAway ? Promise.reject(toUnavailable(new Error('away'))) : tokens.revokedSince(since)),
    },
    events: createMemoryEventBus({ log }),
    permissions: createPermissions({ groups: [], defaultGroups: [] }),
    sanctionsInForce: noSanctions,
    clock: systemClock,
    log,
  })
  return { watch, lines, state }
}

describe('an outage in which revocations cannot be read', () => {
  it('costs one line of the log however long it lasts, and one when it is over', async () => {
    const { watch, lines, state } = createWatch()
    await watch.checkRevocations()
    expect(lines).toEqual([])
    state.isAway = true
    for (let at = 0; at < 30; at += 1) await watch.checkRevocations()
    expect(lines).toMatchObject([{ level: 40, msg: 'revocations cannot be read; sessions go on' }])
    await watch.checkAccounts()
    expect(lines).toHaveLength(1)
    state.isAway = false
    await watch.checkRevocations()
    await watch.checkRevocations()
    expect(lines.slice(1)).toMatchObject([{ level: 30, msg: 'revocations can be read again' }])
  })
})
