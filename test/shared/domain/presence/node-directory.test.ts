import { describe, expect, it } from '@jest/globals'
import { createNodeDirectory } from '../../../../shared/domain/presence/node-directory.ts'
import type { LiveNode, NodeFacts } from '../../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../../shared/domain/presence/presence-memory.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { readyNode } from '../../../support/realtime/ready-node.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const createFixture = () => {
  const clock = createFixedClock()
  const presence = createMemoryPresence({ clock })
  const calls = { reads: 0, isAway: false }
  const listNodes = async () => {
    calls.reads += 1
    if (calls.isAway) throw new AppError('unavailable', 'service-unavailable', 'away')
    return presence.listNodes()
  }
  const tell = async (nodeId: string, world: string, more: Partial<NodeFacts> = {}) => {
    const node = presence.openNode(nodeId)
    node.describe({ ...readyNode(world), ...more })
    await node.renew()
  }
  return { clock, calls, tell, directory: createNodeDirectory({ presence: { listNodes }, clock }) }
}

describe('the directory of nodes', () => {
  it('reads the registry once for all calls within a quarter of a second', async () => {
    const { clock, calls, tell, directory } = createFixture()
    await Promise.all([directory.list(), directory.listKnown(), directory.list()])
    clock.advance(249)
    await tell('one', 'default')
    expect(await directory.list()).toEqual([])
    expect(calls.reads).toBe(1)
    clock.advance(1)
    expect(await directory.list()).toMatchObject([{ nodeId: 'one' }])
    expect(calls.reads).toBe(2)
  })

  it('reads it at once after forget', async () => {
    const { calls, tell, directory } = createFixture()
    await directory.list()
    await tell('one', 'default')
    directory.forget()
    expect(await directory.list()).toMatchObject([{ nodeId: 'one' }])
    expect(calls.reads).toBe(2)
  })

  it('reads it again after forget during a read, and drops the earlier read', async () => {
    let answer = (_nodes: readonly LiveNode[]): void => {}
    let reads = 0
    const listNodes = () =>
      new Promise<readonly LiveNode[]>((resolve) => {
        reads += 1
        answer = resolve
      })
    const directory = createNodeDirectory({ presence: { listNodes }, clock: createFixedClock() })
    const before = directory.list()
    const answerBefore = answer
    directory.forget()
    const after = directory.list()
    answer([{ ...readyNode('default'), nodeId: 'new', sessions: 0 }])
    expect(await after).toMatchObject([{ nodeId: 'new' }])
    answerBefore([])
    await before
    expect(await directory.list()).toMatchObject([{ nodeId: 'new' }])
    expect(reads).toBe(2)
  })

  it('omits a dead node with a later holder, and keeps a draining one', async () => {
    const { tell, directory } = createFixture()
    await tell('dead', 'default', { fence: 1 })
    await tell('leaving', 'default', { fence: 2, state: 'draining' })
    await tell('next', 'default', { fence: 3 })
    await tell('other', 'arena', { fence: 1 })
    expect((await directory.list()).map(({ nodeId }) => nodeId)).toEqual(['other', 'leaving', 'next'])
  })

  it('returns known addresses while the registry is unavailable, and throws for current ones', async () => {
    const { clock, calls, tell, directory } = createFixture()
    calls.isAway = true
    await expect(directory.listKnown()).rejects.toMatchObject({ kind: 'unavailable' })
    calls.isAway = false
    await tell('one', 'default')
    await directory.list()
    calls.isAway = true
    clock.advance(60_000)
    expect(await directory.listKnown()).toMatchObject([{ nodeId: 'one' }])
    await expect(directory.list()).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
