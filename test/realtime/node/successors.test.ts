import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createSuccessors, type Successors } from '../../../realtime/node/successors.ts'
import type { NodeFacts, Presence } from '../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createServiceMetrics } from '../../../shared/platform/metrics/service-metrics.ts'
import { silentLog } from '../../support/time/silent-log.ts'

const left = { worldName: 'default', fence: 5 }

describe('the successor of a node', () => {
  let events: EventBus
  let presence: Presence
  let successors: Successors
  beforeEach(() => {
    events = createMemoryEventBus({ log: silentLog, metrics: createServiceMetrics() })
    presence = createMemoryPresence({ clock: systemClock })
    successors = createSuccessors({ events, presence, clock: systemClock, log: silentLog, nodeId: 'own' })
  })
  afterEach(() => successors.close())

  const list = async (nodeId: string, more: Partial<NodeFacts> = {}): Promise<void> => {
    const node = presence.openNode(nodeId)
    const facts = { world: 'default', fence: 6, state: 'ready', maxSessions: 10, startedAt: 0, version: '0.0.0' } as const
    node.describe({ ...facts, url: `http://${nodeId}`, internalUrl: '', ...more })
    await node.renew()
  }
  const tellTaken = (nodeId: string, world = 'default') =>
    events.publish('world-taken', { world, nodeId, url: `http://${nodeId}` })

  it('is awaited when a standby exists, or another node runs the world already', async () => {
    await list('own')
    expect(await successors.isExpected(left)).toBe(false)
    await list('other', { world: 'arena', fence: 9 })
    expect(await successors.isExpected(left)).toBe(false)
    await list('waiting', { world: undefined, fence: 0, state: 'standby' })
    expect(await successors.isExpected(left)).toBe(true)
  })

  it('is not an earlier holder, which stays listed for a while after its death', async () => {
    await list('dead', { fence: 4 })
    expect(await successors.isExpected(left)).toBe(false)
    expect(await successors.find(left, 50)).toBeUndefined()
  })

  it('is not a node that is also leaving', async () => {
    await list('leaving', { state: 'draining' })
    expect(await successors.isExpected(left)).toBe(false)
    expect(await successors.find(left, 50)).toBeUndefined()
  })

  it('is found by the event, whenever it comes after the release of the world', async () => {
    await successors.isExpected(left)
    const found = successors.find(left, 5000)
    await tellTaken('elsewhere', 'arena')
    await tellTaken('own')
    await tellTaken('next')
    expect(await found).toBe('http://next')
  })

  it('is not an earlier holder than this node', async () => {
    await tellTaken('before')
    await new Promise((resolve) => setImmediate(resolve))
    await successors.isExpected(left)
    expect(await successors.find(left, 50)).toBeUndefined()
  })

  it('is found by a read when the event was lost', async () => {
    const found = successors.find(left, 5000)
    await list('next')
    expect(await found).toBe('http://next')
  })

  it('is unknown while Redis is away, without a hang', async () => {
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))
    const lost = createSuccessors({
      events: { ...events, subscribe: away },
      presence: { ...presence, listNodes: away },
      clock: systemClock,
      log: silentLog,
      nodeId: 'own',
    })
    expect(await lost.isExpected(left)).toBe(false)
    expect(await lost.find(left, 50)).toBeUndefined()
    lost.close()
  })
})
