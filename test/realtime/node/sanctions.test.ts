import { afterEach, describe, expect, it } from '@jest/globals'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import { startFeedNode } from '../../support/feeds/feed-node.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const operator = createOperator('test')
const reason = 'griefing the town'
const until = '2999-01-01T00:00:00.000Z'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A node in memory with manual clock and ticks. */
const createScene = async () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, world, activeSanctions, sanctions } = fixture
  await activeSanctions.start()
  ends.push(world.close, activeSanctions.close, activeSanctions.onChange(loop.accounts.sanctionsChanged))
  const tick = (milliseconds = 50) => {
    clock.advance(milliseconds)
    loop.tick(clock.monotonic())
  }
  const open = () => {
    const client = openFakeClient(fixture)
    ends.push(() => client.connection.ended())
    return client
  }
  const connect = async (value: { token: string; resumeToken?: string }) => {
    const client = open()
    client.send({ $case: 'connect', value: { protocolVersion: 1, clientName: 'test', ...value } })
    await waitFor(loop.isIdle)
    tick()
    return client
  }
  const ada = await fixture.addAccount('ada')
  const impose = async (kind: 'ban' | 'mute' | 'warning', text = reason) => {
    const sanction = await sanctions.impose(operator, { kind, email: ada.email, reason: text, until })
    tick()
    return sanction
  }
  return { ...fixture, ada, tick, open, connect, impose, join: async () => connect({ token: await fixture.signIn(ada) }) }
}

const noticesOf = ({ received }: { received: readonly { $case: string; value: object }[] }) =>
  received.filter(({ $case }) => $case === 'notice').map(({ value }) => value)

describe('a ban', () => {
  it('ends the session with the reason and the end, and closes with 4003', async () => {
    const { join, impose } = await createScene()
    const client = await join()
    await impose('ban')
    expect(client.find('kick')).toMatchObject({ code: 'banned', reason, until })
    expect(client.socket.closedWith).toBe(4003)
  })

  it('refuses a valid token, with the reason', async () => {
    const { impose, signIn, connect, ada } = await createScene()
    await impose('ban')
    const client = await connect({ token: await signIn(ada) })
    expect(client.received.map(({ $case }) => $case)).toEqual(['kick'])
    expect(client.find('kick')).toMatchObject({ code: 'banned', reason })
  })

  it('applies to a player who was checked before it and joins after it', async () => {
    const { impose, signIn, ada, tick, open } = await createScene()
    const client = open()
    client.send({ $case: 'connect', value: { token: await signIn(ada), protocolVersion: 1, clientName: 'test' } })
    await impose('ban')
    await waitFor(() => {
      tick()
      return client.socket.closedWith !== undefined
    })
    expect(client.find('welcome')).toBeUndefined()
  })

  it('leaves no session to resume', async () => {
    const { join, impose, connect, tick } = await createScene()
    const client = await join()
    const { resumeToken = '' } = client.find('welcome') ?? {}
    client.connection.ended()
    tick()
    await impose('ban')
    const back = await connect({ token: '', resumeToken })
    expect([back.find('welcome'), back.socket.closedWith]).toEqual([undefined, 1008])
  })

  it('is sent as a ban even when the end of the sign-in is noticed first', async () => {
    const { join, sanctions, activeSanctions, watch, tick, ada } = await createScene()
    const client = await join()
    activeSanctions.close()
    await sanctions.impose(operator, { kind: 'ban', email: ada.email, reason, until })
    await watch.checkRevocations()
    tick()
    expect(client.find('kick')).toMatchObject({ code: 'banned' })
  })

  it('admits the player again from its end on', async () => {
    const { join, impose, sanctions, tick } = await createScene()
    const { id } = await impose('ban')
    await sanctions.end(operator, id)
    tick()
    expect((await join()).find('welcome')).toBeDefined()
  })
})

describe('a mute', () => {
  it('refuses chat and /say with Error muted, reason and end, and nothing else', async () => {
    const { join, impose, tick, loop, accountStore, ada } = await createScene()
    await accountStore.change(ada.email, () => ({ next: { ...ada, groups: ['moderator'] }, result: undefined }))
    const client = await join()
    await impose('mute')
    client.send({ $case: 'chat', value: { text: 'hello' } })
    tick()
    expect(client.find('error')).toMatchObject({ code: 'muted', reason, until, message: expect.stringContaining(reason) })
    client.send({ $case: 'command', value: { seq: 7, text: '/say hello' } })
    tick()
    await waitFor(loop.isIdle)
    tick()
    expect(client.find('error')).toMatchObject({ code: 'muted', seq: 7 })
    expect(client.find('commandResult')).toMatchObject({ seq: 7, ok: false, data: { code: 'muted', reason } })
    client.send({ $case: 'chat', value: { text: '/help' } })
    tick()
    await waitFor(loop.isIdle)
    tick()
    expect(client.find('commandResult')).toMatchObject({ ok: true })
    expect(client.received.some(({ $case }) => $case === 'chatMessage')).toBe(false)
  })

  it('lets the player speak again after its end', async () => {
    const { join, impose, sanctions, tick } = await createScene()
    const client = await join()
    const { id } = await impose('mute')
    await sanctions.end(operator, id)
    client.send({ $case: 'chat', value: { text: 'hello' } })
    tick()
    expect(client.find('chatMessage')).toMatchObject({ text: 'hello' })
  })
})

describe('a warning', () => {
  it('is sent once, at once, and is acknowledged when the client still talks a while later', async () => {
    const { join, impose, tick, activeSanctions, ada } = await createScene()
    const client = await join()
    const warning = await impose('warning', 'no caps, please')
    expect(noticesOf(client)).toEqual([
      expect.objectContaining({ severity: 'warning', kind: 'warning', text: expect.stringContaining('no caps') }),
    ])
    client.send({ $case: 'ping', value: { nonce: 1 } })
    tick()
    expect(activeSanctions.listWarnings(ada.email)).toEqual([warning])
    tick(2_000)
    client.send({ $case: 'ping', value: { nonce: 2 } })
    tick()
    await waitFor(() => activeSanctions.listWarnings(ada.email).length === 0)
    expect(noticesOf(client)).toHaveLength(1)
  })

  it('waits for the next Welcome, and is sent at each until it is acknowledged', async () => {
    const { join, impose, tick } = await createScene()
    await impose('warning', 'one')
    await impose('warning', 'two')
    const first = await join()
    expect(first.received.map(({ $case }) => $case).slice(0, 3)).toEqual(['welcome', 'notice', 'notice'])
    first.connection.ended()
    tick()
    expect(noticesOf(await join())).toHaveLength(2)
  })
})

describe('a ban of an address', () => {
  it('ends players and feeds from there, and no others', async () => {
    const node = await startFeedNode()
    ends.push(node.close)
    const editor = await node.addEditor('eve')
    const feed = await node.openFeed(editor)
    const player = await node.join('ada')
    await node.sanctions.impose(operator, { kind: 'ban', address: '198.51.100.0/24', reason })
    await node.sanctions.impose(operator, { kind: 'ban', address: '127.0.0.1', reason, until })
    expect(await player.client.next('kick')).toMatchObject({ code: 'banned', reason, until })
    expect(await feed.next('error')).toMatchObject({ code: 'banned', message: expect.stringContaining(reason) })
    expect(await feed.closed()).toMatchObject({ code: 4003 })
  })

  it('of an account ends its feed, and refuses the next one', async () => {
    const node = await startFeedNode()
    ends.push(node.close)
    const editor = await node.addEditor('eve')
    const token = await node.signIn(editor)
    const feed = await node.openFeed(token)
    await node.sanctions.impose(operator, { kind: 'ban', email: editor.email, reason })
    expect(await feed.next('error')).toMatchObject({ code: 'banned' })
    const refused = await node.knock({ token: await node.signIn(editor) })
    expect(refused).toMatchObject({ status: 403, body: { type: '/problems/account-banned', reason } })
  })
})

it('sanctions of another account do not affect a connected player', async () => {
  const node = await startRealtimeNode()
  ends.push(node.close)
  const { client } = await node.join('ada')
  await node.addAccount('bob')
  await node.sanctions.impose(operator, { kind: 'ban', email: 'bob@example.com', reason })
  await node.sanctions.impose(operator, { kind: 'mute', email: 'bob@example.com', reason })
  client.send({ $case: 'chat', value: { text: 'hello' } })
  expect(await client.next('chatMessage')).toMatchObject({ text: 'hello' })
})
