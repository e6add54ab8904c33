import { describe, expect, it } from '@jest/globals'
import { presenceTtlMs } from '../../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../../shared/domain/presence/presence-memory.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { presenceContract } from '../../../contracts/presence-contract.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

presenceContract('memory', async (ttlMs) => ({
  presence: createMemoryPresence({ clock: systemClock, ttlMs }),
  close: async () => undefined,
}))

describe('a dead node', () => {
  it('disappears within 15 seconds, and no sooner', async () => {
    expect(presenceTtlMs).toBeLessThanOrEqual(15_000)
    const clock = createFixedClock()
    const presence = createMemoryPresence({ clock })
    const node = presence.openNode('one')
    node.enter('ann', 'ann')
    await node.renew()
    clock.advance(presenceTtlMs - 1)
    expect(await presence.countConnected()).toBe(1)
    clock.advance(1)
    expect(await presence.countConnected()).toBe(0)
  })
})
