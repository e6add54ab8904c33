import { afterEach, describe, expect, it } from '@jest/globals'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { takePlainFrames } from '../../../realtime/socket/plain-frames.ts'
import { type ClientFrame, clientFrame, opcodes } from '../../support/realtime/client-frames.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { silentStream } from '../../support/realtime/silent-stream.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A connection without a session whose client sends bytes; what is kept of them, in bytes. */
const open = () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock, settings: { messageBurst: 10_000 } })
  ends.push(fixture.world.close)
  const { connection, socket } = openFakeClient(fixture)
  ends.push(async () => connection.ended())
  const stream = silentStream()
  let given = 0
  stream.on('data', (frame: Buffer) => {
    given += frame.length
  })
  takePlainFrames(stream, connection)
  const send = (bytes: Buffer, pieceBytes = 1000) => {
    for (let at = 0; at < bytes.length; at += pieceBytes) stream.emit('data', bytes.subarray(at, at + pieceBytes))
  }
  return { send, socket, connection, given: () => given }
}

const join = (frames: readonly ClientFrame[]): Buffer => Buffer.concat(frames.map(clientFrame))
const repeat = (count: number, frames: readonly ClientFrame[]): Buffer => Buffer.concat(Array(count).fill(join(frames)))
const fragment: ClientFrame = { opcode: opcodes.continuation, fin: false, payload: Buffer.alloc(1000) }
const begun: ClientFrame = { ...fragment, opcode: opcodes.binary }
const ping: ClientFrame = { opcode: opcodes.ping, payload: 'x' }

describe('a socket without a session', () => {
  it.each<readonly [string, Buffer]>([
    ['one message in fragments', Buffer.concat([join([begun]), repeat(20, [fragment])])],
    ['fragments with pings between them', Buffer.concat([join([begun]), repeat(20, [ping, fragment])])],
    ['fragments with pongs between them', Buffer.concat([join([begun]), repeat(20, [{ opcode: opcodes.pong }, fragment])])],
    ['a great many fragments of one byte', Buffer.concat([join([begun]), repeat(200, [{ ...fragment, payload: 'x' }])])],
    ['a frame of 60,000 bytes', clientFrame({ opcode: opcodes.text, payload: Buffer.alloc(60_000, 32) })],
  ])('is closed with 1009 for %s, of which less than 16 KiB are kept', (_what, bytes) => {
    const { send, socket, given } = open()
    send(bytes)
    expect(socket.closedWith).toBe(1009)
    expect(given()).toBeLessThanOrEqual(16_384)
  })

  it('is closed with 4008 when it asks for answers and reads none', () => {
    const { send, socket } = open()
    socket.buffered = 16_385
    send(join([ping]))
    expect(socket.closedWith).toBe(4008)
  })

  it('may have messages wait for its session, of 16 KiB together', () => {
    const connect = ClientMessage.encode({
      kind: { $case: 'connect', value: { token: 't', protocolVersion: 1, clientName: 'x', resumeToken: undefined } },
    }).finish()
    const waiting = ClientMessage.encode({ kind: { $case: 'chat', value: { channel: '', text: 'x'.repeat(4000) } } }).finish()
    const { connection, socket } = open()
    connection.receive(connect, 'binary')
    for (let i = 0; i < 4; i += 1) connection.receive(waiting, 'binary')
    expect(socket.closedWith).toBeUndefined()
    expect(connection.mayHold(1000, 1000, 'binary')).toBe(false)
    expect(socket.closedWith).toBe(1009)
    const other = open()
    other.connection.receive(connect, 'binary')
    for (let i = 0; i < 5; i += 1) other.connection.receive(waiting, 'binary')
    expect(other.socket.closedWith).toBe(4029)
  })

  it('takes a Connect of 8 KiB in as many pieces as there are bytes', () => {
    const { send, socket, given } = open()
    const frame = clientFrame({ opcode: opcodes.text, payload: Buffer.alloc(8192, 32) })
    send(frame, 1)
    expect([given(), socket.closedWith]).toEqual([frame.length, undefined])
  })
})

describe('a frame that is cut', () => {
  it('has memory for what came of it, not for what its header promises', () => {
    const { send, socket, given } = open()
    const header = Buffer.alloc(14)
    header.writeUInt8(0x82, 0)
    header.writeUInt8(0xff, 1)
    header.writeBigUInt64BE(2n ** 53n, 2)
    send(header, 3)
    expect([given(), socket.closedWith]).toEqual([0, 1009])
  })
})
