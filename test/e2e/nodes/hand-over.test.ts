import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { type Crowd, gatherCrowd, type Position } from '../support/crowd.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, quickConfig, type Server } from '../support/stage.ts'
import { untilPlacesAreStored } from '../support/stored-places.ts'

const playersCount = 60
/** The number of players who keep walking while their node changes. */
const walkersCount = 10

describeOwnRedis('60 players of a node', () => {
  const stage = createStage()
  let redis: RedisServer
  let http: Server
  let node: Server
  let crowd: Crowd
  let variables: Record<string, string>
  let boss: string

  const startNode = () => stage.start(variables, 'realtime/main.ts')
  beforeAll(async () => {
    redis = await startRedis()
    const dataDir = await stage.createDataDir(`${quickConfig}realtime: { viewRadius: 2, waitingPerAddress: 1000 }\n`)
    variables = { DATA_DIR: dataDir, REDIS_URL: redis.url, WORLD_STANDBY: 'true' }
    http = await stage.start(variables, 'infra/http.ts')
    boss = await stage.claim(http)
    node = await startNode()
    crowd = await gatherCrowd(playersCount, { httpUrl: http.url, nodeUrl: node.url, findUrl: () => node.url })
    await crowd.areIn(1)
  }, 180_000)
  afterAll(async () => {
    crowd?.leave()
    await stage.close()
    await redis?.stop()
  })

  /**
   * Every player goes to a separate place and stands there, except for a few who keep walking until the returned function is
   * called.
   */
  const spread = async (): Promise<() => void> => {
    for (const [i, player] of crowd.players.entries()) {
      const { x, y, z } = player.place()
      player.move({ x: x + (i % 20) / 4, y, z: z + Math.floor(i / 20) / 4 })
    }
    await untilPlacesAreStored(redis.url, crowd.players.slice(walkersCount))
    let step = 0
    const timer = setInterval(() => {
      step += 1
      for (const player of crowd.players.slice(0, walkersCount)) {
        const { x, y, z } = player.place()
        player.move({ x: x + (step % 20 < 10 ? 0.2 : -0.2), y, z })
      }
    }, 100)
    await pause(500)
    return () => clearInterval(timer)
  }
  const placesOfStanding = (): Position[] => crowd.players.slice(walkersCount).map((player) => player.place())
  const resume = async (server: Server, resumeToken: string) => {
    return stage.connect(server.url, { resumeToken })
  }

  it('continue on a standby when their node stops: at the same places, without a sign-in', async () => {
    const next = await startNode()
    expect((await ask(next.url, 'GET /readyz')).status).toBe(200)
    const person = stage.play(http.url, { email: 'person@example.com' })
    await person.shows('Welcome')
    const stop = await spread()
    const before = placesOfStanding()
    const tokensBefore = crowd.players.map((player) => player.welcomes().at(-1)?.resumeToken ?? '')
    node.signal('SIGTERM')
    const startedMs = performance.now()
    await crowd.areIn(2)
    const allBackMs = Math.round(performance.now() - startedMs)
    stop()
    showFigures('SIGTERM with a standby and 60 players', { allBackMs, ...crowd.gaps() })
    expect(placesOfStanding()).toEqual(before)
    expect(await node.ended).toBe(0)
    await person.shows('* Back in the game.')
    expect(person.stdout()).not.toContain('connecting anew')
    person.endInput('/who\n')
    expect(await person.ended).toBe(0)
    expect(node.stdout()).not.toMatch(/"level":[56]0/)
    expect(next.stdout()).not.toContain('without releasing it')

    for (const used of tokensBefore.slice(0, 3)) {
      const thief = await resume(next, used)
      expect(await thief.closed()).toMatchObject({ code: 1008, reason: 'invalid-resume' })
    }
    node = next
  }, 180_000)

  it('continue on a standby when their node is killed', async () => {
    const next = await startNode()
    const stop = await spread()
    const before = placesOfStanding()
    const killed = node
    node = next
    killed.signal('SIGKILL')
    const startedMs = performance.now()
    await crowd.areIn(3)
    const allBackMs = Math.round(performance.now() - startedMs)
    stop()
    showFigures('kill -9 with a standby and 60 players', { allBackMs, ...crowd.gaps() })
    expect(placesOfStanding()).toEqual(before)
  }, 180_000)

  it('continue on a new node after theirs was killed, except for ended sign-ins and accounts', async () => {
    await (await spread())()
    const before = placesOfStanding()
    node.signal('SIGKILL')
    await node.ended
    const [loggedOut, removed, ...others] = crowd.players
    if (loggedOut === undefined || removed === undefined) throw new Error('the crowd is too small')
    expect((await ask(http.url, 'POST /auth/logout', { token: loggedOut.token })).status).toBe(204)
    expect((await ask(http.url, `DELETE /api/admin/users/${removed.email}`, { token: boss })).status).toBe(204)

    const startedMs = performance.now()
    const starting = startNode().then((started) => {
      node = started
      return Math.round(performance.now() - startedMs)
    })
    const startMs = await starting
    await crowd.areIn(4, others)
    const allBackMs = Math.round(performance.now() - startedMs)
    showFigures('kill -9, then a start, with 60 players', { startMs, allBackMs })
    expect(placesOfStanding()).toEqual(before)
    // They may be the last ones to retry.
    await waitFor(() => loggedOut.refusal() !== undefined && removed.refusal() !== undefined)
    expect([loggedOut.refusal(), removed.refusal()]).toEqual(['invalid-resume', 'invalid-resume'])
  }, 180_000)
})
