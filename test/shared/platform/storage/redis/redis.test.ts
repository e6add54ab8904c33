import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createRedis, type RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { toUnavailable } from '../../../../../shared/platform/storage/redis/redis-fault.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../../../support/redis/redis.ts'
import { createCapturedLog, silentLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const unavailable = expect.objectContaining({ kind: 'unavailable', slug: 'service-unavailable', retryAfterSeconds: 1 })
const ping = (redis: RedisConnection) => redis.ask((client) => client.ping())

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const open = (url: string, log = silentLog): RedisConnection => {
  const redis = createRedis({ url, log, ids: systemIds })
  cleanups.push(() => redis.close())
  return redis
}

const kinds = [
  { name: 'single', options: {} },
  { name: 'over TCP', options: { tcp: true } },
  { name: 'in cluster mode', options: { cluster: true } },
]

for (const { name, options } of kinds) {
  describeOwnRedis(`a connection to a Redis ${name}`, () => {
    let server: RedisServer
    beforeAll(async () => {
      server = await startRedis(options)
    })
    afterAll(() => server.stop())

    it('serves the first command, however early', async () => {
      expect(await ping(open(server.url))).toBe('PONG')
    })

    it('throws unavailable while Redis is killed, and recovers after its return', async () => {
      const redis = open(server.url)
      await ping(redis)
      await server.kill()
      for (let time = 0; time < 5; time++) await expect(ping(redis)).rejects.toEqual(unavailable)
      await server.restart()
      await waitFor(() =>
        ping(redis).then(
          () => true,
          () => false,
        ),
      )
    })

    it('fails pending commands when Redis is killed', async () => {
      const redis = open(server.url)
      await ping(redis)
      const waiting = expect(redis.ask((client) => client.blpop('nothing', 0))).rejects.toEqual(unavailable)
      await server.kill()
      await waiting
      await server.restart()
    })

    it('logs each change of state once, without the password', async () => {
      const { log, lines } = createCapturedLog()
      const redis = open(server.url, log)
      await ping(redis)
      await server.kill()
      await expect(ping(redis)).rejects.toEqual(unavailable)
      await expect(ping(redis)).rejects.toEqual(unavailable)
      await server.restart()
      await waitFor(() =>
        ping(redis).then(
          () => true,
          () => false,
        ),
      )
      await redis.close()
      expect(lines.map(({ msg }) => msg)).toEqual([
        'Redis is reachable',
        'Redis is away; retrying until it is back',
        'Redis is reachable',
      ])
    })
  })
}

describe('a connection to a server that is not Redis', () => {
  it.each([
    'redis://:hunter2@127.0.0.1:1',
    'unix:///nowhere/redis.sock',
    'redis+cluster://:hunter2@127.0.0.1:1,127.0.0.1:2',
    'redis+sentinel://:hunter2@127.0.0.1:1/main',
  ])('throws unavailable for %s, logs that once without the password', async (url) => {
    const { log, lines } = createCapturedLog()
    const redis = open(url, log)
    for (let time = 0; time < 3; time++) {
      const fault = await ping(redis).catch((error: unknown) => error)
      expect(fault).toEqual(unavailable)
    }
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  it('throws unavailable when the peer accepts and then stays silent', async () => {
    const sockets: Socket[] = []
    const mute = createServer((socket) => sockets.push(socket.resume()))
    mute.listen(0, '127.0.0.1')
    await once(mute, 'listening')
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy()
      mute.close()
    })
    const address = mute.address()
    const redis = open(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
    await expect(ping(redis)).rejects.toEqual(unavailable)
    await waitFor(() => sockets.length > 1)
  })

  it('logs an outage in one line without its address, and a refusal of Redis with it', () => {
    const stackOf = (fault: Error) => [toUnavailable(fault).stack, (toUnavailable(fault).cause as Error).stack].join('\n')
    expect(stackOf(new Error('connect ECONNREFUSED 127.0.0.1:1'))).toMatch(/^.*\n.*ECONNREFUSED.*$/)
    expect(stackOf(Object.assign(new Error('WRONGTYPE'), { name: 'ReplyError' }))).toMatch(/\n\s+at /)
  })

  it('throws an error without the arguments of the failed command', async () => {
    const redis = open('unix:///nowhere/redis.sock')
    const fault = await redis.ask((client) => client.set('key', 'hunter2')).catch((error: unknown) => error)
    expect(
      JSON.stringify(fault, (_key, value) =>
        value instanceof Error ? { ...value, cause: value.cause, stack: value.stack } : value,
      ),
    ).not.toContain('hunter2')
  })
})
