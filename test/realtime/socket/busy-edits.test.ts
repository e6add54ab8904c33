import { afterEach, describe, expect, it } from '@jest/globals'
import { type FakeClient, openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture, type RealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const join = async (settings: Parameters<typeof createRealtimeFixture>[0]['settings'] = {}) => {
  const clock = createFixedClock()
  const fixture: RealtimeFixture = createRealtimeFixture({ clock, settings })
  const client = openFakeClient(fixture)
  ends.push(async () => client.connection.ended(), fixture.world.close)
  const tick = (ms = 50): void => {
    clock.advance(ms)
    fixture.loop.tick(clock.monotonic())
  }
  const token = await fixture.signIn(await fixture.addAccount('ann', ['builder']))
  client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test' } })
  await waitFor(() => {
    tick()
    return client.find('welcome') !== undefined
  })
  for (let count = 0; count < 60; count += 1) tick()
  return { client, tick }
}

const edit = (client: FakeClient, seq: number): void =>
  client.send({ $case: 'editBlocks', value: { seq, edits: [{ x: 2, y: 66, z: 0, type: seq % 2 === 0 ? 'stone' : 'air' }] } })

const answersOf = ({ received }: FakeClient) =>
  received.flatMap(({ $case, value }) => ($case === 'editResult' ? [{ seq: value.seq, reason: value.reason }] : []))

describe('more edits than the budget pays for', () => {
  it('are answered busy: each of 60 at once has an answer and the connection stays', async () => {
    const { client, tick } = await join()
    for (let seq = 1; seq <= 60; seq += 1) edit(client, seq)
    await waitFor(() => {
      tick()
      return answersOf(client).length === 60
    })
    const answers = answersOf(client)
    expect(new Set(answers.map(({ seq }) => seq)).size).toBe(60)
    expect(answers.filter(({ reason }) => reason === 'busy').map(({ seq }) => seq)).toEqual(
      Array.from({ length: 30 }, (_, at) => 31 + at),
    )
    for (let count = 0; count < 10; count += 1) tick()
    edit(client, 61)
    await waitFor(() => {
      tick()
      return answersOf(client).length === 61
    })
    expect(answersOf(client).at(-1)?.reason).not.toBe('busy')
    expect(client.socket.closedWith).toBeUndefined()
  })

  it.each([
    ['with the default limits', {}],
    ['with the smallest limits', { messagesPerSecond: 1, messageBurst: 1 }],
  ])('keep the connection for other messages %s', async (_with, settings) => {
    const { client, tick } = await join(settings)
    for (let seq = 1; seq <= 60; seq += 1) edit(client, seq)
    client.send({ $case: 'ping', value: { nonce: 7 } })
    client.send({ $case: 'chat', value: { text: 'done' } })
    expect(client.connection.payFor('ping')).toBe(true)
    tick()
    expect([client.find('pong')?.nonce, client.find('chatMessage')?.text]).toEqual([7, 'done'])
    expect(client.socket.closedWith).toBeUndefined()
  })

  it.each([20, 60, 100])('close the connection with 4029 after ten seconds of %i a second', async (perSecond) => {
    const { client, tick } = await join()
    const flood = (seconds: number) => {
      for (let at = 0; at < seconds * perSecond && client.socket.closedWith === undefined; at += 1) {
        edit(client, at)
        tick(1000 / perSecond)
      }
    }
    flood(5)
    expect(client.socket.closedWith).toBeUndefined()
    flood(15)
    expect([client.socket.closedWith, client.find('kick')?.code]).toEqual([4029, 'too-many-messages'])
  })

  it('keep the connection if the client pauses for two seconds', async () => {
    const { client, tick } = await join()
    for (let round = 0; round < 12; round += 1) {
      for (let seq = 1; seq <= 60; seq += 1) edit(client, seq)
      for (let count = 0; count < 40; count += 1) tick()
    }
    expect(client.socket.closedWith).toBeUndefined()
  })

  it('close the connection with 4029 if there are very many at once, or long ones', async () => {
    const [many, long] = [await join(), await join()]
    for (let seq = 1; seq <= 2000; seq += 1) edit(many.client, seq)
    expect(many.client.socket.closedWith).toBe(4029)
    expect(answersOf(many.client).length).toBeLessThan(800)
    const edits = Array.from({ length: 256 }, (_, x) => ({ x, y: 66, z: 0, type: 'x'.repeat(200) }))
    for (let seq = 1; seq <= 60; seq += 1) long.client.send({ $case: 'editBlocks', value: { seq, edits } })
    expect(long.client.socket.closedWith).toBe(4029)
  })
})

it('closes the connection with 4029 for too many other messages', async () => {
  const { client } = await join()
  for (let nonce = 0; nonce <= 120; nonce += 1) client.send({ $case: 'ping', value: { nonce } })
  expect(client.socket.closedWith).toBe(4029)
})
