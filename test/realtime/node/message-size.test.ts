import { afterEach, describe, expect, it } from '@jest/globals'
import { writeRaw } from '../../support/realtime/client-frames.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { flatBlocks } from '../../support/worlds/flat-world.ts'

let node: RealtimeNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

const join = async (maxMessageBytes: number) => {
  node = await startRealtimeNode({ settings: { maxMessageBytes, messageBurst: 300 } })
  const { client } = await node.join('ann', { kind: 'text' })
  const reload = (bytes: number) =>
    node?.configs.set({ blocks: flatBlocks, server: { realtime: { maxMessageBytes: bytes, messageBurst: 300 } } })
  return { client, reload }
}

/** A ping of that many bytes. */
const pingOf = (bytes: number) => '{"ping":{"nonce":7}}'.padEnd(bytes)
/** The header of a masked binary frame that is not the last of its message, with a length of 8 bytes. */
const beginFrame = (bytes: number): Buffer => {
  const header = Buffer.alloc(14)
  header.writeUInt8(0x02, 0)
  header.writeUInt8(0xff, 1)
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

describe('the largest message of an open connection', () => {
  it('is larger after a reload that raises it', async () => {
    const { client, reload } = await join(8192)
    reload(1_048_576)
    client.sendRaw(pingOf(1_048_576))
    expect(await client.next('pong')).toMatchObject({ nonce: 7 })
    client.sendRaw(pingOf(1_048_577))
    expect(await client.closed()).toMatchObject({ code: 1009 })
    expect(await client.next('kick')).toMatchObject({ code: 'message-too-large' })
  })

  it('is smaller after a reload that lowers it', async () => {
    const { client, reload } = await join(65_536)
    client.sendRaw(pingOf(60_000))
    await client.next('pong')
    reload(8192)
    client.sendRaw(pingOf(8193))
    expect(await client.closed()).toMatchObject({ code: 1009 })
  })

  it('is enough for any number of messages one after another, with pings among them', async () => {
    const { client } = await join(8192)
    for (let i = 0; i < 100; i += 1) {
      client.sendRaw(pingOf(8192))
      client.socket.ping('x'.repeat(100))
    }
    await waitFor(() => client.count('pong') === 100)
    expect(client.isOpen()).toBe(true)
  })

  it('does not count the bytes of pings between two messages', async () => {
    const { client } = await join(8192)
    for (let i = 0; i < 200; i += 1) client.socket.ping('x'.repeat(125))
    client.sendRaw(pingOf(8192))
    expect(await client.next('pong')).toMatchObject({ nonce: 7 })
  })

  it('limits the bytes of an unfinished message: the client is closed with 1009', async () => {
    const { client } = await join(8192)
    writeRaw(client, beginFrame(1_000_000))
    writeRaw(client, Buffer.alloc(400_000))
    expect(await client.closed()).toMatchObject({ code: 1009 })
    expect(await client.next('kick')).toMatchObject({ code: 'message-too-large' })
  })
})
