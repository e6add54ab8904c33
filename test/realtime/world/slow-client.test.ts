import { afterEach, describe, expect, it } from '@jest/globals'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { openStreamingClient, type StreamingClient } from '../../support/realtime/streaming-client.ts'

let node: RealtimeNode | undefined
const clients: StreamingClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await node?.close()
})

const columnsInView = 29 ** 2

describe('a client that stops reading while columns arrive', () => {
  it('is not closed, gets the rest when it reads again, and does not delay others', async () => {
    node = await startRealtimeNode({ settings: { viewRadius: 14, tickRate: 60, outgoingBufferBytes: 262_144 } })
    const { world, url, signIn, addAccount, closings } = node
    // Columns of noise, larger than any buffer of the system.
    const holder = { distanceTo: () => 0 }
    const positions = Array.from({ length: columnsInView }, (_, at) => ({ cx: (at % 29) - 14, cz: Math.floor(at / 29) - 14 }))
    const columns = await Promise.all(positions.map((pos) => world.loaded.load(pos, holder)))
    for (const { chunk } of columns)
      for (let y = 4; y < 8; y += 1)
        chunk.sections[y] = { palette: Array.from({ length: 256 }, (_, i) => i), bits: 8, data: new Uint8Array(4096).fill(y) }
    const join = async (name: string): Promise<StreamingClient> => {
      const client = openStreamingClient(new URL(url).port, await signIn(await addAccount(name)))
      clients.push(client)
      return client
    }
    const slow = await join('slow')
    await slow.columns(1)
    slow.pause()
    const quick = await join('quick')
    await quick.columns(columnsInView)
    expect(world.streaming.stats().sent).toBeLessThan(2 * columnsInView)
    slow.resume()
    await slow.columns(columnsInView)
    expect([slow.isOpen(), closings]).toEqual([true, []])
  })
})
