import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { readLent } from '../../../realtime/socket/lent-reads.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { openSocketPairs } from '../../support/realtime/socket-pairs.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('readLent', () => {
  let pairs: Awaited<ReturnType<typeof openSocketPairs>>
  beforeEach(async () => {
    pairs = await openSocketPairs()
  })
  afterEach(() => pairs.close())

  /** Both ends of a connection; what the server's end is lent is copied to `taken`. */
  const openPair = async () => {
    const { client, accepted } = await pairs.open()
    const pieces: Buffer[] = []
    const held: Buffer[] = []
    accepted.on('data', (chunk: Buffer) => held.push(chunk))
    const isLent = readLent(accepted, (memory, size) => pieces.push(Buffer.from(memory.subarray(0, size))))
    return { client, accepted, isLent, held, taken: () => Buffer.concat(pieces) }
  }

  it('is what Node has for a socket that a server accepted, here and now', async () => {
    expect((await openPair()).isLent).toBe(true)
  })

  it('leaves other streams alone', () => {
    const stream = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    expect(readLent(stream, () => {})).toBe(false)
  })

  it('hands over every byte of several sockets in turn, whatever there is at once', async () => {
    const pairs = [await openPair(), await openPair(), await openPair()]
    const sent = pairs.map((_pair, index) => Buffer.alloc(700_000 + index, `bytes of ${index} `))
    for (let at = 0; at < 800_000; at += 33_333)
      for (const [index, { client }] of pairs.entries()) client.write(sent[index]?.subarray(at, at + 33_333) ?? '')
    await waitFor(() => pairs.every(({ taken }, index) => taken().length === sent[index]?.length))
    expect(pairs.map(({ taken }, index) => taken().equals(sent[index] ?? Buffer.of()))).toEqual([true, true, true])
    expect(pairs.flatMap(({ held }) => held)).toEqual([])
  })

  it('reads nothing while the socket is paused', async () => {
    const { client, accepted, taken } = await openPair()
    client.write('before')
    await waitFor(() => taken().toString() === 'before')
    accepted.pause()
    client.write(' and after')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(taken().toString()).toBe('before')
    accepted.resume()
    await waitFor(() => taken().toString() === 'before and after')
  })

  it('goes by what the stream held already, which listeners get as ever', async () => {
    const { client, accepted, held, taken } = await openPair()
    accepted.unshift(Buffer.from('held'))
    client.write('new')
    await waitFor(() => taken().length > 0 && held.length > 0)
    expect([Buffer.concat(held).toString(), taken().toString()]).toEqual(['held', 'new'])
  })

  it('lets the end be known', async () => {
    const { client, accepted, taken } = await openPair()
    const ended = once(accepted, 'end')
    client.end('the last')
    await ended
    expect(taken().toString()).toBe('the last')
  })
})

describe('a message that comes in pieces', () => {
  let node: RealtimeNode
  beforeEach(async () => {
    node = await startRealtimeNode({})
  })
  afterEach(() => node.close())

  it('is whole although others were read to the same memory in between', async () => {
    const { client: other } = await node.join('bob')
    const token = await node.signIn(await node.addAccount('ann'))
    const value = { token, protocolVersion: 1, clientName: 'pieces', resumeToken: undefined }
    const message = Buffer.from(JSON.stringify(ClientMessage.toJSON({ kind: { $case: 'connect', value } })))
    const client = await node.open('text')
    for (const [at, fin] of [
      [0, false],
      [20, false],
      [60, true],
    ] as const) {
      const until = at === 0 ? 20 : at === 20 ? 60 : message.length
      client.socket.send(message.subarray(at, until), { fin, binary: false })
      for (let seq = 1; seq <= 5; seq += 1) other.send({ $case: 'ping', value: { nonce: at + seq } })
      await waitFor(() => other.received.some(({ case: name, value: pong }) => name === 'pong' && pong.nonce === at + 5))
    }
    expect(await client.next('welcome')).toMatchObject({ displayName: 'ann' })
  })
})
