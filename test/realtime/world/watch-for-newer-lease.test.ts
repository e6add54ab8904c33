import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { watchForNewerLease } from '../../../realtime/world/watch-for-newer-lease.ts'
import type { NodeFacts, Presence } from '../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('a node whose lease is in doubt', () => {
  let presence: Presence
  let isHeld: boolean
  let concessions: number
  let looks: number
  let stop: () => void
  beforeEach(async () => {
    presence = createMemoryPresence({ clock: systemClock })
    isHeld = false
    concessions = 0
    looks = 0
    const lease = {
      fence: 5,
      isHeld: () => isHeld,
      isLost: () => concessions > 0,
      concede: () => {
        concessions += 1
      },
    }
    const list = () => {
      looks += 1
      return presence.listNodes()
    }
    await tell('own', { fence: 5 })
    stop = watchForNewerLease({ nodes: { list }, worldName: 'default', lease }, 5)
  })
  afterEach(() => stop())

  const tell = async (nodeId: string, more: Partial<NodeFacts>): Promise<void> => {
    const node = presence.openNode(nodeId)
    const facts = { world: 'default', fence: 6, state: 'ready', maxSessions: 10, startedAt: 0, version: '0.0.0' } as const
    node.describe({ ...facts, url: '', internalUrl: '', ...more })
    await node.renew()
  }
  const hasLooked = async (times: number): Promise<void> => {
    const from = looks
    await waitFor(() => looks >= from + times)
  }

  it('ignores itself, earlier nodes, and nodes of other worlds', async () => {
    await tell('dead', { fence: 4 })
    await tell('other', { world: 'arena', fence: 9 })
    await hasLooked(3)
    expect(concessions).toBe(0)
  })

  it('gives the world up once another node runs it under a later lease', async () => {
    await hasLooked(1)
    await tell('heir', { fence: 6 })
    await waitFor(() => concessions === 1)
    const settled = looks
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect({ concessions, looks }).toEqual({ concessions: 1, looks: settled })
  })

  it('does not read the registry while the lease is held', async () => {
    isHeld = true
    // On a busy machine the first check may precede this test.
    const before = looks
    await tell('heir', { fence: 6 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect({ concessions, looks }).toEqual({ concessions: 0, looks: before })
    isHeld = false
    await waitFor(() => concessions === 1)
  })
})
