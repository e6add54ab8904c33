import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { createStage, quickConfig, type Server } from '../support/stage.ts'

const rounds = 2
/** Positions are checked in turns, all of them once a second: with more players, each waits longer. */
const others = 40

describeOwnRedis('a place that /save has written', () => {
  const stage = createStage()
  let redis: RedisServer
  let http: Server
  let realtime: Server
  let startRealtime: () => Promise<Server>
  let token: string

  beforeAll(async () => {
    redis = await startRedis()
    const config = `${quickConfig}realtime: { waitingPerAddress: 1000 }\n`
    const pair = await stage.startPair(await stage.createDataDir(config), redis.url)
    http = pair.http
    realtime = pair.realtime
    startRealtime = pair.startRealtime
    token = await stage.claim(http)
  }, 180_000)
  const joinOthers = async (): Promise<void> => {
    const emails = Array.from({ length: others }, (_, at) => `guest-${at}@example.com`)
    for (const email of emails) await stage.join(realtime.url, await stage.signIn(http.url, email))
  }

  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  it('is the place of the player on return, even if the node is killed at that moment', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await joinOthers()
      const client = await stage.join(realtime.url, token)
      const x = round * 3 + 0.5
      client.send({ $case: 'command', value: { seq: 1, text: `/tp ${x} 64 7.5` } })
      expect(await client.next('commandResult')).toMatchObject({ ok: true })
      client.send({ $case: 'command', value: { seq: 2, text: '/save' } })
      expect(await client.next('commandResult')).toMatchObject({ ok: true })
      realtime.signal('SIGKILL')
      await realtime.ended
      client.terminate()
      realtime = await startRealtime()
      const again = await stage.join(realtime.url, token)
      expect(again.welcome.position).toMatchObject({ x, z: 7.5 })
      again.terminate()
    }
  }, 180_000)
})
