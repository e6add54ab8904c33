import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { type Crowd, gatherCrowd } from '../support/crowd.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const failure = 'sessions could not be stored'
const recovery = 'sessions are stored again'

describeOwnRedis('players whose node is killed while Redis is away', () => {
  let redis: RedisServer
  let http: Server
  let node: Server
  let crowd: Crowd
  let variables: Record<string, string>
  beforeAll(async () => {
    redis = await startRedis()
    variables = { DATA_DIR: await stage.createDataDir(), REDIS_URL: redis.url }
    http = await stage.start(variables, 'infra/http.ts')
    node = await stage.start(variables, 'realtime/main.ts')
    crowd = await gatherCrowd(5, { httpUrl: http.url, nodeUrl: node.url, findUrl: () => node.url })
    await crowd.areIn(1)
  }, 180_000)
  afterAll(async () => {
    crowd?.leave()
    await stage.close()
    await redis?.stop()
  })

  it('cannot resume on the next node, and join by a new sign-in once Redis is back', async () => {
    await redis.kill()
    node.signal('SIGKILL')
    await node.ended
    node = await stage.start(variables, 'realtime/main.ts')
    await waitFor(() => crowd.players.every((player) => player.refusal() === 'invalid-resume'))

    const early = stage.connect(node.url, { token: crowd.players[0]?.token ?? '' })
    expect(await early.closed()).toEqual({ code: 1013, reason: 'service-unavailable' })

    await redis.restart()
    await waitFor(async () => (await ask(http.url, 'GET /readyz')).status === 200)
    await waitFor(async () => (await ask(node.url, 'GET /readyz')).status === 200)
    const back = await stage.join(node.url, await stage.signIn(http.url, crowd.players[0]?.email ?? ''))
    expect(back.welcome.playerId).toBe(crowd.players[0]?.welcomes()[0]?.playerId)
  }, 180_000)

  it('resume on the next node once Redis is back, because sessions are written again', async () => {
    const back = await gatherCrowd(5, { httpUrl: http.url, nodeUrl: node.url, findUrl: () => node.url })
    await back.areIn(1)
    const countSaid = (text: string): number => node.stdout().split(text).length
    // The log line of the earlier outage.
    await waitFor(() => countSaid(recovery) === countSaid(failure))
    const failures = countSaid(failure)
    await redis.kill()
    await waitFor(() => countSaid(failure) > failures)
    await redis.restart()
    await waitFor(() => countSaid(recovery) === countSaid(failure))
    node.signal('SIGKILL')
    await node.ended
    node = await stage.start(variables, 'realtime/main.ts')
    await back.areIn(2)
    back.leave()
  }, 180_000)
})
