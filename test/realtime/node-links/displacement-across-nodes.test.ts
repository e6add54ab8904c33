import { expect, it } from '@jest/globals'
import type { LinkedNodes } from '../../support/realtime/linked-nodes.ts'
import type { RealtimeNode } from '../../support/realtime/realtime-node.ts'
import { startTwoNodes } from '../../support/realtime/two-nodes.ts'
import { describeEachRedisServer } from '../../support/redis/redis-suites.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describeEachRedisServer('an account on two nodes of', (openRedis) => {
  let linked: LinkedNodes
  let here: RealtimeNode
  let there: RealtimeNode
  startTwoNodes(openRedis, (nodes) => {
    ;({ linked, here, there } = nodes)
  })

  const enter = async (node: RealtimeNode, token: string) => {
    const client = await node.open()
    client.connect(token)
    await client.next('welcome')
    return client
  }
  const whereabouts = () => linked.redis.ask((client) => client.hgetall(`${linked.redis.prefix}whereabouts`))

  it('is in the game at its last connection; the earlier session ends with 4001 and the reason', async () => {
    const ann = await here.join('ann')
    const ben = await here.join('ben')
    const again = await enter(there, ann.token)
    expect(await ann.client.next('kick')).toMatchObject({ code: 'displaced' })
    expect(await ann.client.closed()).toMatchObject({ code: 4001 })
    const back = await enter(here, ann.token)
    expect(await again.closed()).toMatchObject({ code: 4001 })
    expect([back.isOpen(), ben.client.isOpen()]).toEqual([true, true])
    expect(there.loop.live.listPlayers()).toEqual([])
  })

  it('stays at its verified session, and refuses an unverified sign-in elsewhere as in use', async () => {
    const ann = await here.join('ann')
    const stranger = await enter(there, await there.signIn(ann.account, false))
    expect(await stranger.next('kick')).toMatchObject({ code: 'in-use' })
    expect(await stranger.closed()).toMatchObject({ code: 4001 })
    expect(ann.client.isOpen()).toBe(true)
    const second = await there.join('ben', { verified: false })
    const owner = await enter(here, await here.signIn(second.account))
    expect(await second.client.next('kick')).toMatchObject({ code: 'in-use' })
    expect([owner.isOpen(), ann.client.isOpen()]).toEqual([true, true])
  })

  it('ends on one node, however fast it changes and however many connect at once', async () => {
    const ann = await here.join('ann')
    const clients = await Promise.all(
      [there, here, there, here, there].map(async (node) => {
        const client = await node.open()
        client.connect(ann.token)
        return client
      }),
    )
    await waitFor(() => [ann.client, ...clients].filter((client) => client.isOpen()).length === 1)
    await waitFor(() => here.loop.live.listPlayers().length + there.loop.live.listPlayers().length === 1)
    await here.link.checkDisplaced(here.loop.linked.here)
    await there.link.checkDisplaced(there.loop.linked.here)
    expect(clients.filter((client) => client.isOpen())).toHaveLength(1)
  })

  it('cannot be resumed on the earlier node, even after a lost connection', async () => {
    const ann = await here.join('ann')
    ann.client.terminate()
    await waitFor(async () => Object.keys(await whereabouts()).length === 0)
    await enter(there, ann.token)
    await waitFor(() => here.loop.live.listPlayers().length === 0)
    const client = await here.open()
    client.connect('', { resumeToken: String(ann.welcome.resumeToken) })
    expect(await client.closed()).toMatchObject({ code: 1008 })
  })

  it('is displaced by the next check when the event was lost', async () => {
    const ann = await here.join('ann')
    here.link.close()
    await enter(there, ann.token)
    await waitFor(async () => (await whereabouts())[ann.account.playerId]?.endsWith(there.nodeId) === true)
    expect(ann.client.isOpen()).toBe(true)
    await here.link.checkDisplaced(here.loop.linked.here)
    expect(await ann.client.closed()).toMatchObject({ code: 4001 })
  })

  it('stays when Redis loses its data, and when events are late or invalid', async () => {
    const ann = await here.join('ann')
    const { playerId } = ann.account
    await waitFor(async () => (await whereabouts())[playerId] !== undefined)
    await linked.redis.ask((client) => client.del(`${linked.redis.prefix}whereabouts`))
    await linked.publishRaw('player-connected', JSON.stringify({ playerId, nodeId: there.nodeId, at: 1 }))
    await linked.publishRaw('player-connected', JSON.stringify({ playerId, nodeId: here.nodeId, at: Number.MAX_SAFE_INTEGER }))
    await linked.publishRaw('player-connected', JSON.stringify({ playerId, nodeId: there.nodeId, at: '9' }))
    await here.link.checkDisplaced(here.loop.linked.here)
    await waitFor(async () => (await whereabouts())[playerId]?.endsWith(here.nodeId) === true)
    expect(ann.client.isOpen()).toBe(true)
  })

  it('is entered by the next check when Redis was away at its connection', async () => {
    const { enter: enterNow } = here.whereabouts
    Object.assign(here.whereabouts, { enter: () => Promise.reject(new Error('away')) })
    const ann = await here.join('ann')
    await waitFor(() => here.lines.some(({ msg }) => String(msg).includes('retrying')))
    Object.assign(here.whereabouts, { enter: enterNow })
    await here.link.checkDisplaced(here.loop.linked.here)
    expect((await whereabouts())[ann.account.playerId]).toMatch(new RegExp(`^\\d+ ${here.nodeId}$`))
    await enter(there, ann.token)
    expect(await ann.client.closed()).toMatchObject({ code: 4001 })
  })
})
