import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { connectMessage, frame, opcodes, upgradeHead } from '../../../bench/campaign/hostile/attack-sockets.ts'
import { createUnauthenticatedSockets } from '../../../realtime/socket/unauthenticated-sockets.ts'
import { knock } from '../../support/http/knock.ts'
import { itWhere } from '../../support/needs/guard.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('slots of unauthenticated connections', () => {
  const fill = (limit: number, address: string) => {
    const room = createUnauthenticatedSockets(() => limit)
    const places = Array.from({ length: limit }, () => room.enter(address))
    return { room, places }
  }

  it('are limited for each address', () => {
    const { room, places } = fill(3, '192.0.2.1')
    expect(places).not.toContain(undefined)
    expect(room.enter('192.0.2.1')).toBeUndefined()
    expect(room.enter('::ffff:192.0.2.1')).toBeUndefined()
    expect(room.enter('192.0.2.2')).toBeDefined()
  })

  it('are counted together for the addresses of one /64', () => {
    const { room } = fill(2, '2001:db8:1:2::1')
    expect(room.enter('2001:db8:1:2:ffff::7')).toBeUndefined()
    expect(room.enter('2001:db8:1:3::1')).toBeDefined()
  })

  it.each(['leave', 'end'] as const)('are free again after %s, once', (how) => {
    const { room, places } = fill(2, '192.0.2.1')
    places[0]?.[how]()
    places[0]?.[how]()
    expect(room.enter('192.0.2.1')).toBeDefined()
    expect(room.enter('192.0.2.1')).toBeUndefined()
  })

  it('are free while Connect is checked, for ten times as many', () => {
    const { room, places } = fill(3, '192.0.2.1')
    for (const place of places) place?.ask()
    const more = Array.from({ length: 27 }, () => {
      const place = room.enter('192.0.2.1')
      place?.ask()
      return place
    })
    expect(more).not.toContain(undefined)
    expect(room.enter('192.0.2.1')).toBeUndefined()
    expect(room.enter('192.0.2.2')).toBeDefined()
    places[0]?.leave()
    more[0]?.end()
    expect([room.enter('192.0.2.1'), room.enter('192.0.2.1'), room.enter('192.0.2.1')]).toEqual([
      expect.anything(),
      expect.anything(),
      undefined,
    ])
  })

  it('are taken again when Connect is refused, until the socket closes', () => {
    const { room, places } = fill(1, '192.0.2.1')
    const [place] = places
    place?.ask()
    place?.comeBack()
    expect(room.enter('192.0.2.1')).toBeUndefined()
    place?.end()
    place?.comeBack()
    expect(room.enter('192.0.2.1')).toBeDefined()
  })
})

describe('unauthenticated connections of a node', () => {
  let node: RealtimeNode | undefined
  const idle: WebSocket[] = []
  afterEach(async () => {
    for (const socket of idle.splice(0)) socket.terminate()
    await node?.close()
    node = undefined
  })

  /** Opens silent sockets from `address`; returns how many the node accepts. */
  const openIdle = async (url: string, count: number, address: string): Promise<number> => {
    let taken = 0
    let refused = 0
    for (let i = 0; i < count; i += 1) {
      const socket = new WebSocket(url, { headers: { 'x-forwarded-for': address } })
      idle.push(socket)
      socket.on('open', () => {
        taken += 1
      })
      socket.on('error', () => {
        refused += 1
      })
    }
    await waitFor(() => taken + refused === count)
    return taken
  }

  const start = async (trustedProxies: number) => {
    const settings = { connectTimeoutMs: 60_000, waitingPerAddress: 5 }
    node = await startRealtimeNode({ settings })
    node.configs.set({ server: { http: { trustedProxies }, realtime: settings } })
    return node
  }

  it('admit a player from another address while one address uses all of its slots', async () => {
    const { url } = await start(1)
    expect(await openIdle(url, 40, '192.0.2.1')).toBe(5)
    const refused = await knock(url, { 'x-forwarded-for': '192.0.2.1' })
    expect(refused).toMatchObject({ status: 429, retryAfter: '2' })
    expect(JSON.parse(refused.body)).toMatchObject({ type: '/problems/too-many-requests', status: 429 })
    expect(await openIdle(url, 1, '198.51.100.7')).toBe(1)
  })

  const onLinux = itWhere({
    reason: 'needs Linux, where the loopback has several addresses',
    isMet: process.platform === 'linux',
    isOptional: true,
  })

  onLinux(
    'lets a player in while 5,000 sockets of another address of the loopback say nothing',
    async () => {
      node = await startRealtimeNode({ settings: { connectTimeoutMs: 60_000 } })
      const { port } = new URL(node.url)
      const sockets: Socket[] = []
      /** The status of the answer to a new upgrade, or its network fault. */
      const knockAgain = (): Promise<string> =>
        new Promise((resolve) => {
          const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: '127.0.0.2' })
          sockets.push(socket)
          socket.once('data', (answer) => resolve(String(answer).slice(9, 12)))
          socket.on('error', ({ message }) => resolve(message))
          socket.once('close', () => resolve('closed without an answer'))
          socket.write(upgradeHead())
        })
      try {
        const answers = new Map<string, number>()
        // Fewer at once than the 511 that Linux queues: it drops others, for up to a minute.
        for (let i = 0; i < 5_000; i += 250) {
          const statuses = await Promise.all(Array.from({ length: 250 }, knockAgain))
          for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1)
        }
        expect(Object.fromEntries(answers)).toEqual({ 101: 20, 429: 4_980 })
        await node.join('newcomer')
      } finally {
        for (const socket of sockets) socket.destroy()
      }
    },
    180_000,
  )

  it('ignore headers when no proxy is trusted', async () => {
    const { url } = await start(0)
    expect(await openIdle(url, 5, '192.0.2.1')).toBe(5)
    expect((await knock(url, { 'x-forwarded-for': '198.51.100.7' })).status).toBe(429)
  })

  it('do not count connected players', async () => {
    const { join, url } = await start(0)
    for (const name of ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']) await join(name)
    expect(await openIdle(url, 9, '192.0.2.1')).toBe(5)
  })

  it('count a client with a refused Connect until its socket closes', async () => {
    node = await startRealtimeNode({ settings: { connectTimeoutMs: 60_000, waitingPerAddress: 1 } })
    const { url } = node
    const stranger = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
    stranger.write(upgradeHead())
    stranger.write(frame(opcodes.binary, connectMessage('a token of nobody')))
    const heard: number[] = []
    stranger.on('data', (piece: Buffer) => heard.push(...piece))
    // The header of a Close frame, which gets no answer.
    await waitFor(() => heard.includes(0x88))
    expect(await openIdle(url, 1, '')).toBe(0)
    stranger.destroy()
    await waitFor(async () => (await openIdle(url, 1, '')) === 1)
  })

  it('may be more after a reload that allows it', async () => {
    const { url, configs } = await start(0)
    await openIdle(url, 5, '192.0.2.1')
    configs.set({ server: { realtime: { connectTimeoutMs: 60_000, waitingPerAddress: 7 } } })
    expect(await openIdle(url, 5, '192.0.2.1')).toBe(2)
  })

  it('have free slots again when idle clients are gone', async () => {
    const { url } = await start(0)
    await openIdle(url, 5, '192.0.2.1')
    for (const socket of idle.splice(0)) socket.terminate()
    await waitFor(async () => (await openIdle(url, 1, '192.0.2.1')) === 1)
  })
})
