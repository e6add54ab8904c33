import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createRedis, type RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../../../support/redis/redis.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const ping = (redis: RedisConnection) => redis.ask((client) => client.ping())
const unavailable = expect.objectContaining({ kind: 'unavailable', slug: 'service-unavailable' })

describeOwnRedis('a connection to Redis that waits until it is ready', () => {
  let server: RedisServer
  let redis: RedisConnection
  let clock: ReturnType<typeof createFixedClock>
  const open = (url: string, { waitMs = 4000, patienceMs = 15_000 } = {}) =>
    createRedis({ url, log: silentLog, ids: systemIds, patienceMs, readyWait: { waitMs, clock } })

  beforeEach(async () => {
    clock = createFixedClock()
    server = await startRedis({ tcp: true })
    redis = open(server.url)
  })
  afterEach(async () => {
    await redis.close()
    await server.stop()
  })

  it('serves the first command, however early', async () => {
    expect(await ping(redis)).toBe('PONG')
  })

  it('does not count time in which this process was blocked or frozen', async () => {
    await redis.close()
    redis = open(server.url, { waitMs: 2000 })
    const pending = ping(redis)
    // Blocks the event loop without using the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
    expect(await pending).toBe('PONG')
  })

  it('serves the very next command once Redis is back, for any number of callers', async () => {
    await ping(redis)
    await server.kill()
    await expect(ping(redis)).rejects.toEqual(unavailable)
    await server.restart()
    expect(await Promise.all(Array.from({ length: 50 }, () => ping(redis)))).toEqual(Array(50).fill('PONG'))
  })

  it('refuses commands while Redis is unavailable, and sends none of them later', async () => {
    await server.kill()
    const pending = Promise.allSettled(Array.from({ length: 20 }, () => redis.ask((client) => client.set('late', 'x'))))
    expect(new Set((await pending).map(({ status }) => status))).toEqual(new Set(['rejected']))
    await server.restart()
    expect(await redis.ask((client) => client.get('late'))).toBeNull()
  })

  it('pings a connection that was frozen before it sends a command', async () => {
    // The first connection has died silently: commands on it get no answer. The next connection answers.
    const sockets: Socket[] = []
    const received: string[] = []
    let isSilent = false
    const peer = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        received.push(...(String(data).match(/\b(PING|SET)\b/gi) ?? []).map((word) => word.toUpperCase()))
        if (isSilent && socket === sockets[0]) return
        const commands = String(data).match(/\*\d+\r\n/g) ?? []
        for (const _ of commands) socket.write('+OK\r\n')
      })
    }).listen(0, '127.0.0.1')
    await waitFor(() => peer.listening)
    const address = peer.address()
    const url = `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const still = open(url, { waitMs: 15_000, patienceMs: 3000 })
    try {
      await still.ask((client) => client.set('a', '1'))
      isSilent = true
      clock.advance(60_000)
      received.length = 0
      await still.ask((client) => client.set('a', '2'))
      expect(received).toEqual(['PING', 'SET'])
      expect(sockets.length).toBe(2)
    } finally {
      await still.close()
      for (const socket of sockets) socket.destroy()
      peer.close()
    }
  })
})
