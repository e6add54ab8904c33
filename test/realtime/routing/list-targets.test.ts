import { describe, expect, it } from '@jest/globals'
import { listTargets } from '../../../realtime/routing/list-targets.ts'
import type { LiveNode, NodeFacts } from '../../../shared/domain/presence/presence.ts'
import { readyNode } from '../../support/realtime/ready-node.ts'

const node = (nodeId: string, world: string | undefined, more: Partial<NodeFacts> = {}): LiveNode => ({
  nodeId,
  sessions: 0,
  ...readyNode(world, more),
})

describe('targets of an upgrade', () => {
  it('follow the order of worlds, then ready before draining nodes, then the higher fence', () => {
    const nodes = [
      node('waits', undefined, { state: 'standby' }),
      node('leaves', 'default', { state: 'draining', fence: 7 }),
      node('left before', 'default', { state: 'draining', fence: 6 }),
      node('older', 'default', { fence: 8 }),
      node('newer', 'default', { fence: 9 }),
      node('elsewhere', 'north'),
      node('first', 'arena'),
    ]
    const targets = listTargets(nodes, ['arena', 'gone', 'default'])
    expect(targets.map(({ nodeId }) => nodeId)).toEqual(['first', 'newer', 'older', 'leaves', 'left before'])
  })
})
