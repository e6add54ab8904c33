import { type AddressInfo, createServer, connect as dial } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { createRedisTokenStore } from '../../../../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemClock } from '../../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createRedisRateLimiter } from '../../../../../shared/platform/limits/redis/rate-limiter-redis.ts'
import { findEvictionWarning } from '../../../../../shared/platform/storage/redis/redis-eviction.ts'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../../../support/redis/redis.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const portOf = (url: string): number => Number(new URL(url).port)

/** One address that leads to the current primary, such as a DNS name or a balancer. Open connections stay where they are. */
const openAddress = async (firstPort: number) => {
  let port = firstPort
  const server = createServer((socket) => {
    const upstream = dial(port, '127.0.0.1')
    socket.pipe(upstream).pipe(socket)
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (next: number) => {
      port = next
    },
    close: () => server.close(),
  }
}

describeOwnRedis('a failover of Redis with open connections', () => {
  let servers: readonly RedisServer[]
  let admins: readonly Redis[]
  beforeAll(async () => {
    servers = [await startRedis({ tcp: true }), await startRedis({ tcp: true })]
    admins = servers.map(({ url }) => new Redis(url))
  })
  afterAll(async () => {
    for (const admin of admins) admin.disconnect()
    for (const server of servers) await server.stop()
  })

  it('refuses for seconds at most, and is reported unreachable until a write works', async () => {
    const [old, next] = servers.map(({ url }) => portOf(url)) as [number, number]
    const [oldAdmin, nextAdmin] = admins as [Redis, Redis]
    await nextAdmin.replicaof('127.0.0.1', old)
    await waitFor(async () => (await nextAdmin.info('replication')).includes('master_link_status:up'))
    const address = await openAddress(old)
    const redis = connectPatiently(address.url)
    const tokens = createRedisTokenStore({ redis, clock: systemClock, ids: systemIds })
    const limiter = createRedisRateLimiter({ redis })
    await tokens.ping()

    await nextAdmin.replicaof('NO', 'ONE')
    await oldAdmin.replicaof('127.0.0.1', next)
    // The address still leads to the old primary.
    await waitFor(() =>
      tokens.ping().then(
        () => false,
        () => true,
      ),
    )
    await expect(tokens.ping()).rejects.toMatchObject({ kind: 'unavailable' })
    address.lead(next)
    const failedOver = Date.now()
    await waitFor(() =>
      tokens.ping().then(
        () => true,
        () => false,
      ),
    )
    const grant = { playerId: 'p1', verified: true, signInId: 's1', signedInAt: systemClock.now() }
    expect(await tokens.find(await tokens.issue(grant))).toMatchObject({ playerId: 'p1' })
    expect(await limiter.consume('sign-in', 'ann', { max: 1, perSeconds: 60 })).toMatchObject({ allowed: true })
    expect(Date.now() - failedOver).toBeLessThan(15_000)

    // An open connection that only writes detects this by itself, without a probe.
    await oldAdmin.replicaof('NO', 'ONE')
    await nextAdmin.replicaof('127.0.0.1', old)
    address.lead(old)
    await waitFor(() =>
      tokens.issue(grant).then(
        () => true,
        () => false,
      ),
    )
    await redis.close()
    address.close()
  })

  it('warns of an eviction policy that drops tokens', async () => {
    const [admin] = admins as [Redis, Redis]
    const redis = connectPatiently(servers[0]?.url ?? '')
    expect(await findEvictionWarning(redis)).toBeUndefined()
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await findEvictionWarning(redis)).toContain('allkeys-lru')
    await redis.close()
    expect(await findEvictionWarning(redis)).toBeUndefined()
  })
})
