import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Crowd, gatherCrowd } from '../support/crowd.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, type Server } from '../support/stage.ts'
import { untilPlacesAreStored } from '../support/stored-places.ts'

const stage = createStage()

describeDynamo('players of a node that is paused', () => {
  describeOwnRedis('while a standby runs on another machine', () => {
    let dynamo: DynamoServer
    let redis: RedisServer
    let paused: Server
    let standby: Server
    let crowd: Crowd
    beforeAll(async () => {
      dynamo = await openDynamoForTests()
      redis = await startRedis()
      const common = { ...(await createDynamoPlace(stage, dynamo.endpoint)), REDIS_URL: redis.url, WORLD_STANDBY: 'true' }
      // A separate folder simulates a separate machine.
      const startNode = async () => {
        const child = stage.launch('realtime/main.ts', [], { ...common, DATA_DIR: await stage.createEmptyDir(), PORT: '0' })
        await child.shows(/^Gatehouse (is ready|stands by)/m, 150_000)
        return stage.ready(child)
      }
      const http = await stage.start({ ...common, DATA_DIR: await stage.createEmptyDir() }, 'infra/http.ts')
      paused = await startNode()
      standby = await startNode()
      crowd = await gatherCrowd(10, { httpUrl: http.url, nodeUrl: paused.url, findUrl: () => standby.url })
      await crowd.areIn(1)
    }, 180_000)
    afterAll(async () => {
      crowd?.leave()
      await stage.close()
      await redis?.stop()
      await dynamo?.stop()
    })

    it('are sent to their sessions as soon as it wakes, and resume them there', async () => {
      for (const [i, player] of crowd.players.entries()) {
        const { x, y, z } = player.place()
        player.move({ x: x + i / 8, y, z })
      }
      await untilPlacesAreStored(redis.url, crowd.players)
      const places = crowd.players.map((player) => player.place())
      const startedMs = performance.now()
      paused.signal('SIGSTOP')
      await standby.shows('this node takes over the world', 150_000)
      const takenMs = Math.round(performance.now() - startedMs)
      await waitFor(() => standby.stdout().includes('sessions of the previous node'))

      paused.signal('SIGCONT')
      const wokenMs = performance.now()
      await crowd.areIn(2)
      showFigures('a paused node with a standby', { takenMs, backMs: Math.round(performance.now() - wokenMs) })
      expect(crowd.players.map((player) => player.place())).toEqual(places)
      expect(await paused.ended).toBe(1)
      expect(standby.isRunning()).toBe(true)
      expect(crowd.players.every((player) => player.isIn())).toBe(true)
    }, 180_000)
  })
})
