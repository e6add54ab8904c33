import { afterEach, describe, expect, it } from '@jest/globals'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { startFeedNode } from '../../support/feeds/feed-node.ts'
import { type ClientFrame, clientFrame, opcodes, writeRaw } from '../../support/realtime/client-frames.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const start = async (settings: Parameters<typeof startRealtimeNode>[0]): Promise<RealtimeNode> => {
  const node = await startRealtimeNode(settings)
  ends.push(node.close)
  return node
}

const slow = { settings: { messagesPerSecond: 1, messageBurst: 20 } }
const times = (count: number, frames: readonly ClientFrame[]): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.concat(frames.map(clientFrame))))
const begun: ClientFrame = { opcode: opcodes.binary, fin: false }

describe('the budget of messages', () => {
  it.each<readonly [string, ClientFrame]>([
    ['pings', { opcode: opcodes.ping, payload: 'x' }],
    ['pongs without a ping', { opcode: opcodes.pong }],
    ['empty messages', { opcode: opcodes.binary }],
    ['empty texts', { opcode: opcodes.text }],
  ])('counts %s: too many close the connection with 4029 and the reason', async (_what, frame) => {
    const { join } = await start(slow)
    const { client } = await join('ann')
    writeRaw(client, times(40, [frame]))
    expect(await client.closed()).toEqual({ code: 4029, reason: 'too-many-messages' })
    expect(await client.next('kick')).toMatchObject({ code: 'too-many-messages' })
  })

  it('counts the pongs of a client that has not connected', async () => {
    const { open } = await start(slow)
    const client = await open()
    writeRaw(client, times(40, [{ opcode: opcodes.pong }]))
    expect((await client.closed()).code).toBe(4029)
  })

  it.each([
    ['empty fragments', ''],
    ['fragments of one byte', 'x'],
  ])('allows 128 %s of one message, and closes with 4029 above', async (_what, payload) => {
    const { join } = await start({})
    const { client } = await join('ann')
    writeRaw(client, times(1, [begun]))
    writeRaw(client, times(200, [{ opcode: opcodes.continuation, fin: false, payload }]))
    expect(await client.closed()).toEqual({ code: 4029, reason: 'too-many-messages' })
    expect(await client.next('kick')).toMatchObject({ code: 'too-many-messages' })
  })

  it('closes a client that sends 200,000 pongs at once', async () => {
    const { join } = await start({})
    const { client } = await join('ann')
    writeRaw(client, times(200_000, [{ opcode: opcodes.pong }]))
    expect((await client.closed()).code).toBe(4029)
  })

  it('is not charged for answers to pings of the server, however many there are', async () => {
    const fixture = createRealtimeFixture({ clock: createFixedClock(), settings: { messageBurst: 1 } })
    ends.push(fixture.world.close)
    const { connection, socket } = openFakeClient(fixture)
    for (let i = 0; i < 10; i += 1) {
      connection.heartbeat()
      expect(connection.payFor('pong')).toBe(true)
    }
    expect([connection.payFor('pong'), connection.payFor('pong')]).toEqual([true, false])
    expect(socket.closedWith).toBe(4029)
  })

  it('accepts a message in a few fragments, with a ping between them', async () => {
    const { join } = await start({})
    const { client } = await join('ann')
    const bytes = ClientMessage.encode({ kind: { $case: 'ping', value: { nonce: 77 } } }).finish()
    writeRaw(
      client,
      times(1, [
        { ...begun, payload: bytes.subarray(0, 1) },
        { opcode: opcodes.ping, payload: 'x' },
        { opcode: opcodes.continuation, payload: bytes.subarray(1) },
      ]),
    )
    expect(await client.next('pong')).toMatchObject({ nonce: 77 })
  })
})

describe('the budget of a feed', () => {
  it.each<readonly [string, ClientFrame]>([
    ['pings', { opcode: opcodes.ping }],
    ['pongs', { opcode: opcodes.pong }],
  ])('is what %s are paid from', async (_what, frame) => {
    const node = await startFeedNode(slow)
    ends.push(node.close)
    const feed = await node.openFeed(await node.addEditor('ed'))
    writeRaw(feed, times(40, [frame]))
    expect(await feed.closed()).toEqual({ code: 4029, reason: 'too-many-messages' })
  })
})
