import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { type DynamoProxy, startDynamoProxy } from '../../support/dynamodb/dynamodb-proxy.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { createBuilder } from '../support/builder.ts'
import { type Crowd, gatherCrowd } from '../support/crowd.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()

describeDynamo('a node that alone is cut off from the store', () => {
  describeOwnRedis('while a standby runs', () => {
    let dynamo: DynamoServer
    let proxy: DynamoProxy
    let redis: RedisServer
    let http: Server
    let cutOff: Server
    let standby: Server
    let crowd: Crowd
    beforeAll(async () => {
      dynamo = await openDynamoForTests()
      proxy = await startDynamoProxy(dynamo.endpoint)
      redis = await startRedis()
      const place = await createDynamoPlace(stage, dynamo.endpoint)
      // As in production: a request that is cut off times out long before the lease expires.
      const common = { ...place, DYNAMODB_PATIENCE_MS: '5000', REDIS_URL: redis.url }
      const ownFolder = async () => ({ DATA_DIR: await stage.createEmptyDir() })
      http = await stage.start({ ...common, ...(await ownFolder()) }, 'infra/http.ts')
      cutOff = await stage.start({ ...common, ...(await ownFolder()), DYNAMODB_ENDPOINT: proxy.endpoint }, 'realtime/main.ts')
      standby = await stage.start({ ...common, ...(await ownFolder()), WORLD_STANDBY: 'true' }, 'realtime/main.ts')
      crowd = await gatherCrowd(10, { httpUrl: http.url, nodeUrl: cutOff.url, findUrl: () => standby.url })
      await crowd.areIn(1)
    }, 180_000)
    afterAll(async () => {
      crowd?.leave()
      await stage.close()
      await proxy?.close()
      await redis?.stop()
      await dynamo?.stop()
    })

    it('loses its world to the standby, learns that from the registry, and redirects its players', async () => {
      const builder = createBuilder(await stage.enter(cutOff.url, await stage.signIn(http.url, 'builder@example.com')))
      await builder.look(builder.places)
      expect(await builder.edit(builder.places.map((place) => ({ ...place, type: 'planks' })))).toEqual({ ok: true, reason: '' })
      proxy.setUnreachable(true)
      const sinceMs = performance.now()
      const refused = await builder.edit(builder.places.map((place) => ({ ...place, type: 'glass' })))
      expect(refused).toEqual({ ok: false, reason: 'unavailable' })
      await standby.shows('takes over the world', 150_000)
      const takenMs = Math.round(performance.now() - sinceMs)
      await crowd.areIn(2)
      const backMs = Math.round(performance.now() - sinceMs - takenMs)
      showFigures('a holder cut off from the store', { takenMs, backMs, ...crowd.gaps() })
      expect(await cutOff.ended).toBe(1)
      expect(cutOff.stdout()).toContain('another node says that it runs the world')
      proxy.setUnreachable(false)
      const again = createBuilder(await stage.enter(standby.url, await stage.signIn(http.url, 'builder@example.com')))
      expect(await again.look(builder.places)).toEqual(builder.places.map(() => 'planks'))
    }, 180_000)
  })
})
