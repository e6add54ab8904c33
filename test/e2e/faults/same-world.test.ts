import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { acquireLease } from '../../../shared/domain/worlds/leases/acquire-lease.ts'
import { leaseRecords } from '../../../shared/domain/worlds/leases/lease-record.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { Dynamo } from '../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { showFigures } from '../support/figures.ts'
import { createStage } from '../support/stage.ts'

const stage = createStage()
const rounds = 12

describeDynamo('two machines that take the same world at the same moment', () => {
  let dynamo: DynamoServer
  let client: Dynamo
  beforeAll(async () => {
    dynamo = await openDynamoForTests()
    client = await openDynamo(dynamo.endpoint)
  })
  afterAll(async () => {
    await stage.close()
    client?.close()
    await dynamo?.stop()
  })

  it(`agree on one of them in each of ${rounds} rounds, after a release or a death`, async () => {
    const store = createDynamoStore({ dynamo: client, ids: systemIds })
    const folder = await stage.createEmptyDir()
    // Longer than a busy machine delays a renewal: an expired lease has a second holder.
    const ttlMs = 4000
    const acquire = (machineId: string) =>
      acquireLease({
        store,
        clock: systemClock,
        ids: systemIds,
        log: silentLog,
        worldName: 'default',
        lockPath: join(folder, machineId, 'default.lease'),
        holder: { name: `node of ${machineId}`, machineId, pid: 7 },
        ttlMs,
        renewMs: 100,
        beatMs: 50,
      })
    const wins = { a: 0, b: 0 }
    let fence = 0
    for (let round = 0; round < rounds; round += 1) {
      if (round % 2 === 1) {
        const dead = { leaseId: systemIds.uuid(), name: 'node of c', machineId: 'c', pid: 7, ttlMs }
        fence += 1
        await store.put(leaseRecords, 'default', { fence, holder: dead })
      }
      const [a, b] = await Promise.allSettled([acquire('a'), acquire('b')])
      const [winner, loser] = a.status === 'fulfilled' ? ([a, b] as const) : ([b, a] as const)
      const name = a.status === 'fulfilled' ? 'a' : 'b'
      if (winner.status !== 'fulfilled' || loser.status !== 'rejected')
        throw new Error(`round ${round}: ${a.status}, ${b.status}`)
      wins[name] += 1
      expect(loser.reason).toBeInstanceOf(AppError)
      expect(loser.reason).toMatchObject({ slug: 'world-held', publicDetail: expect.stringContaining(`held by node of ${name}`) })
      expect(winner.value.fence).toBe(fence + 1)
      fence = winner.value.fence
      await winner.value.release()
    }
    showFigures('two nodes for one world', { rounds, wins })
  }, 180_000)

  describeOwnRedis('as two processes', () => {
    let redis: RedisServer
    beforeAll(async () => {
      redis = await startRedis()
    })
    afterAll(() => redis?.stop())

    it('are one node with the world, and one that exits and names the other', async () => {
      const place = await createDynamoPlace(stage, dynamo.endpoint)
      const start = async () => {
        const own = { DATA_DIR: await stage.createEmptyDir(), REDIS_URL: redis.url, PORT: '0' }
        return stage.launch('realtime/main.ts', [], { ...place, ...own, LOG_LEVEL: 'info' })
      }
      const nodes = await Promise.all([start(), start()])
      const isReady = (node: (typeof nodes)[number]) => node.stdout().includes('Gatehouse is ready')
      await waitFor(() => nodes.some((node) => !node.isRunning()) && nodes.some(isReady))
      const [ended] = nodes.filter((node) => !node.isRunning())
      expect(nodes.filter(isReady)).toHaveLength(1)
      expect(await ended?.ended).toBe(1)
      expect(ended?.stderr()).toMatch(/The world "default" is held by .+, process \d+/)
    }, 180_000)
  })
})
