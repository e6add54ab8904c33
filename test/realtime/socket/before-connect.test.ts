import { afterEach, describe, expect, it } from '@jest/globals'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { type ClientFrame, clientFrame, opcodes, writeRaw } from '../../support/realtime/client-frames.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const settings = { messageBurst: 10_000 }

/** A client of a real node, without a session. */
const open = async () => {
  const node = await startRealtimeNode({ settings })
  ends.push(node.close)
  return node.open()
}

/** A client in memory, without a session. */
const openInMemory = () => {
  const fixture = createRealtimeFixture({ clock: createFixedClock(), settings })
  ends.push(fixture.world.close)
  const client = openFakeClient(fixture)
  ends.push(async () => client.connection.ended())
  return client
}

const join = (frames: readonly ClientFrame[]): Buffer => Buffer.concat(frames.map(clientFrame))
const repeat = (count: number, frames: readonly ClientFrame[]): Buffer => Buffer.concat(Array(count).fill(join(frames)))
const fragment: ClientFrame = { opcode: opcodes.continuation, fin: false, payload: Buffer.alloc(1000) }
const begun: ClientFrame = { ...fragment, opcode: opcodes.binary }
const ping: ClientFrame = { opcode: opcodes.ping, payload: 'x' }
const pong: ClientFrame = { opcode: opcodes.pong }

/** A header that announces 2^53 bytes. */
const hugeHeader = (): Buffer => {
  const header = Buffer.alloc(14)
  header.writeUInt8(0x82, 0)
  header.writeUInt8(0xff, 1)
  header.writeBigUInt64BE(2n ** 53n, 2)
  return header
}

describe('a socket without a session', () => {
  it.each<readonly [string, Buffer]>([
    ['one message in fragments', Buffer.concat([join([begun]), repeat(20, [fragment])])],
    ['fragments with pings between them', Buffer.concat([join([begun]), repeat(20, [ping, fragment])])],
    ['fragments with pongs between them', Buffer.concat([join([begun]), repeat(20, [pong, fragment])])],
    ['a frame of 60,000 bytes', clientFrame({ opcode: opcodes.text, payload: Buffer.alloc(60_000, 32) })],
    [
      '20,000 bytes of a larger frame',
      clientFrame({ opcode: opcodes.text, payload: Buffer.alloc(60_000, 32) }).subarray(0, 20_000),
    ],
    ['a header that promises 2^53 bytes', hugeHeader()],
  ])('is closed with 1009 for %s', async (_what, bytes) => {
    const client = await open()
    writeRaw(client, bytes)
    expect((await client.closed()).code).toBe(1009)
  })

  it('is closed with 4029 for 200 fragments of one byte', async () => {
    const client = await open()
    writeRaw(client, Buffer.concat([join([begun]), repeat(200, [{ ...fragment, payload: 'x' }])]))
    expect((await client.closed()).code).toBe(4029)
  })

  it('is closed with 4008 when it sends a ping and reads no answers', () => {
    const { socket, connection } = openInMemory()
    socket.buffered = 16_385
    expect([connection.payFor('ping'), socket.closedWith]).toEqual([false, 4008])
  })

  it('may queue messages of 16 KiB in total for its session', () => {
    const connect = ClientMessage.encode({
      kind: { $case: 'connect', value: { token: 't', protocolVersion: 1, clientName: 'x', resumeToken: undefined } },
    }).finish()
    const waiting = ClientMessage.encode({ kind: { $case: 'chat', value: { channel: '', text: 'x'.repeat(4000) } } }).finish()
    const { connection, socket } = openInMemory()
    connection.receive(connect, 'binary')
    for (let i = 0; i < 4; i += 1) connection.receive(waiting, 'binary')
    expect(socket.closedWith).toBeUndefined()
    connection.checkUnfinished(1000)
    expect(socket.closedWith).toBe(1009)
    const other = openInMemory()
    other.connection.receive(connect, 'binary')
    for (let i = 0; i < 5; i += 1) other.connection.receive(waiting, 'binary')
    expect(other.socket.closedWith).toBe(4029)
  })
})
