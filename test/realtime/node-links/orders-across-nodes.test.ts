import { expect, it } from '@jest/globals'
import { createRedisNodeReports } from '../../../shared/domain/node-reports/redis/node-reports-redis.ts'
import { listOnlinePlayers } from '../../../shared/domain/players/online-players.ts'
import { createPlayerOrders } from '../../../shared/domain/players/player-orders.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createRedisEventBus } from '../../../shared/platform/events/redis/redis-events.ts'
import type { TwoNodes } from '../../support/realtime/two-nodes.ts'
import { startTwoNodes } from '../../support/realtime/two-nodes.ts'
import { describeEachRedisServer } from '../../support/redis/redis-suites.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describeEachRedisServer('players seen from a third process on', (openRedis) => {
  let nodes: TwoNodes
  startTwoNodes(openRedis, (started) => {
    nodes = started
  })

  const openThird = () => {
    const { redis } = nodes.linked
    const events = createRedisEventBus({ redis, log: silentLog })
    return { orders: createPlayerOrders({ events, ids: systemIds }), events, reports: createRedisNodeReports({ redis }) }
  }

  it('are listed with their position, notified, moved and kicked on any node', async () => {
    const { orders, events, reports } = openThird()
    await nodes.here.join('ann')
    const { client, account } = await nodes.there.join('cid')
    const names = async () => (await listOnlinePlayers(reports)).map(({ displayName }) => displayName)
    await waitFor(async () => (await names()).join() === 'ann,cid')
    const { playerId } = account
    expect(await orders.send(playerId, { kind: 'message', from: 'admin', fromId: 'id-admin', text: 'hello' })).toBe('done')
    const notice = { severity: 'info', kind: 'message', text: 'admin: hello', from: 'admin' }
    expect(await client.next('notice')).toEqual({ ...notice, fromId: 'id-admin' })
    expect(await orders.send(playerId, { kind: 'message', from: 'admin', text: 'hello' })).toBe('done')
    expect(await client.next('notice')).toEqual(notice)
    expect(await orders.send(playerId, { kind: 'teleport', to: { x: 100.25, y: 200, z: -7 } })).toBe('done')
    expect(await client.next('correction')).toMatchObject({ position: { x: 100.25, y: 200, z: -7 }, reason: 'teleport' })
    expect(await orders.send(playerId, { kind: 'teleport', to: { playerId: 'nobody' } })).toBe('no-target')
    await waitFor(async () => (await listOnlinePlayers(reports)).some(({ position }) => position.x === 100.25))
    const [ann, cid] = await listOnlinePlayers(reports)
    expect(ann?.node).not.toBe(cid?.node)
    expect(await orders.send(playerId, { kind: 'kick', reason: 'spam' })).toBe('done')
    expect(await client.next('kick')).toMatchObject({ reason: 'spam' })
    await waitFor(async () => (await names()).join() === 'ann')
    await events.close()
  })

  it('are listed once when they change node', async () => {
    const { reports, events } = openThird()
    const { account, token } = await nodes.here.join('ann')
    await waitFor(async () => (await listOnlinePlayers(reports)).length === 1)
    const [before] = await listOnlinePlayers(reports)
    const second = await nodes.there.open()
    second.connect(token)
    await second.next('welcome')
    await waitFor(async () => {
      const online = await listOnlinePlayers(reports)
      expect(online.length).toBeLessThanOrEqual(1)
      const [now] = online
      return now?.playerId === account.playerId && now.node !== before?.node
    })
    await events.close()
  })
})
