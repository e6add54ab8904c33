import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeLocalRedis, type RedisServer, startRedis } from '../../../../support/redis/redis.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

describeLocalRedis('a Redis behind a sentinel', () => {
  let server: RedisServer
  let sentinel: RedisServer
  beforeAll(async () => {
    server = await startRedis({ tcp: true })
    sentinel = await startRedis({ sentinel: true })
    const { hostname, port } = new URL(sentinel.url)
    const admin = new Redis(Number(port), hostname)
    await admin.call('SENTINEL', 'MONITOR', 'main', '127.0.0.1', new URL(server.url).port, '1')
    admin.disconnect()
  })
  afterAll(async () => {
    await sentinel.stop()
    await server.stop()
  })

  it('is found by its name, and again after an outage', async () => {
    const redis = connectPatiently(`redis+sentinel://${new URL(sentinel.url).host}/main`)
    const ping = () => redis.ask((client) => client.ping())
    expect(await ping()).toBe('PONG')
    await server.kill()
    await expect(ping()).rejects.toMatchObject({ kind: 'unavailable' })
    await server.restart()
    await waitFor(() =>
      ping().then(
        () => true,
        () => false,
      ),
    )
    await redis.close()
  })
})
