import { afterEach, describe, expect, it } from '@jest/globals'
import { createPresenceKeeper } from '../../../realtime/node/presence-keeper.ts'
import type { NodeFacts } from '../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { createRedisPresence } from '../../../shared/domain/presence/redis/presence-redis.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { readyNode } from '../../support/realtime/ready-node.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { connectPatiently } from '../../support/redis/patient-redis.ts'
import { describeOwnRedis, startRedis } from '../../support/redis/redis.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog, silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const createFixture = () => {
  const { log, lines } = createCapturedLog()
  const presence = createMemoryPresence({ clock: createFixedClock() })
  const node = presence.openNode('one')
  const calls: {
    isAway: boolean
    renewals: number
    gate: Promise<void>
    lastRenewal: Promise<void>
    facts: NodeFacts | undefined
  } = {
    facts: undefined,
    isAway: false,
    renewals: 0,
    gate: Promise.resolve(),
    lastRenewal: Promise.resolve(),
  }
  const orAway = async (work: () => Promise<void>) => {
    if (calls.isAway) throw new AppError('unavailable', 'service-unavailable', 'away')
    await work()
  }
  const renew = () => {
    calls.renewals += 1
    calls.lastRenewal = calls.gate.then(() => orAway(node.renew))
    return calls.lastRenewal
  }
  const keeper = createPresenceKeeper({
    node: { ...node, renew, close: () => orAway(node.close) },
    facts: () => calls.facts,
    log,
  })
  const messages = () => lines.map(({ msg }) => msg)
  return { presence, keeper, calls, messages }
}

describe('the keeper of presence', () => {
  it('publishes connected players at once, and periodically', async () => {
    const { presence, keeper, calls } = createFixture()
    keeper.enter('ann', 'ann')
    expect(await presence.countConnected()).toBe(0)
    keeper.start(1)
    await waitFor(() => calls.renewals > 3)
    keeper.enter('bob', 'bob')
    keeper.leave('ann')
    await waitFor(async () => (await presence.listConnected()).has('bob'))
    expect(await presence.countConnected()).toBe(1)
    await keeper.close()
  })

  it('removes the node when it closes, and publishes nothing afterwards', async () => {
    const { presence, keeper, calls } = createFixture()
    keeper.enter('ann', 'ann')
    keeper.start(1)
    await keeper.close()
    const { renewals } = calls
    expect(await presence.countConnected()).toBe(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls.renewals).toBe(renewals)
  })

  it('publishes the node once it is reachable, and each change at once on request', async () => {
    const { presence, keeper, calls } = createFixture()
    await keeper.tellNow()
    expect(calls.renewals).toBe(0)
    keeper.start(60_000)
    await keeper.tellNow()
    expect(await presence.listNodes()).toEqual([])
    calls.facts = readyNode('default')
    await keeper.tellNow()
    expect(await presence.listNodes()).toEqual([{ nodeId: 'one', sessions: 0, ...readyNode('default') }])
    calls.facts = readyNode('default', { state: 'draining' })
    await keeper.tellNow()
    expect(await presence.listNodes()).toMatchObject([{ state: 'draining' }])
    await keeper.close()
    await keeper.tellNow()
    expect(await presence.listNodes()).toEqual([])
  })

  it('waits on close for a renewal in flight, which would list the node again', async () => {
    const { presence, keeper, calls } = createFixture()
    let letGo = () => {}
    calls.gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    keeper.enter('ann', 'ann')
    keeper.start()
    await waitFor(() => calls.renewals === 1)
    const closed = keeper.close()
    letGo()
    await closed
    await calls.lastRenewal
    expect(await presence.countConnected()).toBe(0)
  })

  it('continues while Redis is away, logs that once, and publishes everything afterwards', async () => {
    const { presence, keeper, calls, messages } = createFixture()
    calls.isAway = true
    keeper.start(1)
    await waitFor(() => calls.renewals > 5)
    keeper.enter('ann', 'ann')
    calls.isAway = false
    await waitFor(async () => (await presence.countConnected()) === 1)
    await waitFor(() => messages().length === 2)
    expect(messages()).toEqual(['presence cannot be reported; retrying', 'presence is reported again'])
    await keeper.close()
  })

  it('closes without a fault while Redis is away', async () => {
    const { keeper, calls, messages } = createFixture()
    calls.isAway = true
    await keeper.close()
    expect(messages()).toEqual(['this node could not be removed from the registry; its entry will expire'])
  })
})

describe('presence of a node', () => {
  let node: RealtimeNode | undefined
  afterEach(() => node?.close())

  it('follows players who join, lose their connection, resume and leave', async () => {
    node = await startRealtimeNode()
    const { presence, join, open } = node
    const has = async (playerId: string) => (await presence.listConnected()).has(playerId)
    const { account: ann, client: annsClient, welcome } = await join('ann')
    const { account: bob, client: bobsClient } = await join('bob')
    await waitFor(async () => (await has(ann.playerId)) && (await has(bob.playerId)))
    annsClient.terminate()
    await waitFor(async () => !(await has(ann.playerId)))
    const again = await open()
    again.connect('', { resumeToken: String(welcome.resumeToken) })
    await again.next('welcome')
    expect(await has(ann.playerId)).toBe(true)
    bobsClient.send({ $case: 'disconnect', value: {} })
    await bobsClient.closed()
    expect([...(await presence.listConnected())]).toEqual([ann.playerId])
  })

  it('has the current name of a player, and no players who left', async () => {
    node = await startRealtimeNode()
    const { presence, join, loop } = node
    const { account: ann } = await join('ann')
    const { account: bob, client } = await join('bob')
    client.terminate()
    const names = async () => (await presence.listPlayers()).map(({ displayName }) => displayName)
    await waitFor(async () => (await names()).join() === 'ann')
    for (const account of [ann, bob])
      loop.accounts.accountRead(account.playerId, { ...account, displayName: `${account.displayName}2` })
    await waitFor(async () => (await names()).join() === 'ann2')
  })

  it('ends with the node', async () => {
    const closing = await startRealtimeNode()
    await closing.join('ann')
    await waitFor(async () => (await closing.presence.countConnected()) === 1)
    await closing.close()
    expect(await closing.presence.countConnected()).toBe(0)
  })
})

describeOwnRedis('presence in a Redis that is killed', () => {
  it('is unavailable to readers, and recovers when Redis is back without data', async () => {
    const server = await startRedis()
    const redis = connectPatiently(server.url)
    const presence = createRedisPresence({ redis })
    const keeper = createPresenceKeeper({ node: presence.openNode('one'), facts: () => undefined, log: silentLog })
    keeper.enter('ann', 'ann')
    keeper.start(20)
    await waitFor(async () => (await presence.countConnected()) === 1)
    await server.kill()
    await expect(presence.countConnected()).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(presence.listConnected()).rejects.toMatchObject({ kind: 'unavailable' })
    keeper.enter('bob', 'bob')
    await server.restart()
    await waitFor(async () => (await presence.countConnected().catch(() => 0)) === 2)
    expect([...(await presence.listConnected())].sort()).toEqual(['ann', 'bob'])
    await keeper.close()
    expect(await presence.countConnected()).toBe(0)
    await redis.close()
    await server.stop()
  })
})
