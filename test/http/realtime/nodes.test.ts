import { describe, expect, it } from '@jest/globals'
import type { NodeFacts } from '../../../shared/domain/presence/presence.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { readyNode } from '../../support/realtime/ready-node.ts'
import { doors } from '../doors.ts'

describe.each(doors)('GET /api/realtime/nodes through %s', (_name, open) => {
  const openWith = async (nodes: Readonly<Record<string, NodeFacts>>) => {
    const door = await open()
    for (const [id, facts] of Object.entries(nodes)) {
      const node = door.presence.openNode(id)
      node.describe(facts)
      node.enter(`player on ${id}`, 'Ann')
      await node.renew()
    }
    return door
  }

  it('answers an empty list without a credential when no node runs', async () => {
    const { get } = await open()
    const answer = await get('/api/realtime/nodes')
    expect(answer).toMatchObject({ status: 200, body: { items: [] } })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('lists the node and the load of each world, without internal addresses', async () => {
    const { get } = await openWith({
      b: readyNode('default', { url: 'https://b.example.org', maxSessions: 5 }),
      a: readyNode('north', { url: 'https://a.example.org', state: 'draining' }),
    })
    const answer = await get('/api/realtime/nodes')
    expect(answer.body).toEqual({
      items: [
        { nodeId: 'b', world: 'default', url: 'https://b.example.org', sessions: 1, maxSessions: 5, state: 'ready' },
        { nodeId: 'a', world: 'north', url: 'https://a.example.org', sessions: 1, maxSessions: 2000, state: 'draining' },
      ],
    })
    expect(answer.text).not.toMatch(/10\.0\.0\.7|version|startedAt|fence/)
  })

  it('omits standby nodes, and a node whose world has a newer holder', async () => {
    const { get } = await openWith({
      waiting: readyNode(undefined, { state: 'standby' }),
      killed: readyNode('default', { fence: 4 }),
      heir: readyNode('default', { fence: 5 }),
    })
    const { body } = await get('/api/realtime/nodes')
    expect(body.items.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual(['heir'])
  })

  it('lists a draining node beside its successor', async () => {
    const { get } = await openWith({
      old: readyNode('default', { fence: 4, state: 'draining' }),
      heir: readyNode('default', { fence: 5 }),
    })
    const { body } = await get('/api/realtime/nodes')
    expect(body.items.map(({ nodeId, state }: { nodeId: string; state: string }) => [nodeId, state])).toEqual([
      ['heir', 'ready'],
      ['old', 'draining'],
    ])
  })

  it('answers 503 with Retry-After while the registry is unavailable', async () => {
    const list = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'Redis does not answer.'))
    const { get } = await open({ deps: { nodes: { list } } })
    const answer = await get('/api/realtime/nodes')
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it('answers 405 to another method, and 400 to an unknown query', async () => {
    const { request, get } = await open()
    expect((await request('POST', '/api/realtime/nodes')).status).toBe(405)
    expect((await get('/api/realtime/nodes?world=default')).status).toBe(400)
  })
})
