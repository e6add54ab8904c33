import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { createMemoryAccountStore } from '../../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { createMemoryNodeReports } from '../../../../shared/domain/node-reports/node-reports-memory.ts'
import { createMemoryPresence } from '../../../../shared/domain/presence/presence-memory.ts'
import { createMemoryWhereabouts } from '../../../../shared/domain/presence/whereabouts.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createMemoryTokenStore } from '../../../support/auth/memory-tokens.ts'
import { openFakeClient } from '../../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../../support/realtime/realtime-fixture.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

/** A node with slow reads of tokens, as from a busy store. */
const createSlowNode = () => {
  const [clock, ids, log] = [systemClock, systemIds, silentLog]
  const store = createMemoryStore()
  const tokens = createMemoryTokenStore({ clock, ids })
  const reads = { atOnce: 0, most: 0, all: 0 }
  const find: typeof tokens.find = async (token) => {
    reads.all += 1
    reads.atOnce += 1
    reads.most = Math.max(reads.most, reads.atOnce)
    await sleep(20)
    reads.atOnce -= 1
    return tokens.find(token)
  }
  const shared = {
    store,
    tokens: { ...tokens, find },
    events: createMemoryEventBus({ log }),
    presence: createMemoryPresence({ clock }),
    whereabouts: createMemoryWhereabouts(),
    nodeReports: createMemoryNodeReports({ clock }),
    accountStore: createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(store) }),
  }
  return { node: createRealtimeFixture({ clock, shared }), reads }
}

it('reads tokens of connected clients only, a few at once, however many disconnect', async () => {
  const { node, reads } = createSlowNode()
  const account = await node.addAccount('ann')
  const token = await node.signIn(account)
  const hello = { token, protocolVersion: 1, clientName: 'test', resumeToken: undefined }
  for (let at = 0; at < 2_000; at += 1) {
    const client = openFakeClient(node)
    client.send({ $case: 'connect', value: hello })
    client.connection.ended()
  }
  const ann = openFakeClient(node)
  ann.send({ $case: 'connect', value: hello })
  await waitFor(() => {
    node.loop.tick(systemClock.monotonic())
    return ann.find('welcome') !== undefined
  })
  expect(reads.all).toBeLessThan(100)
  expect(reads.most).toBeLessThanOrEqual(32)
})
