import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import type { Child } from '../support/child.ts'
import { createStage } from '../support/stage.ts'

const stage = createStage()

describeOwnRedis('an unreachable REDIS_URL', () => {
  let redis: RedisServer
  let children: readonly Child[]
  beforeAll(async () => {
    redis = await startRedis({ tcp: true })
    await redis.kill()
    const dataDir = await stage.createDataDir()
    const launch = async (script: string) =>
      stage.launch(script, [], { DATA_DIR: dataDir, REDIS_URL: redis.url, PORT: String(await findFreePort()) })
    children = await Promise.all(['infra/http.ts', 'realtime/main.ts'].map(launch))
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const linesOf = (child: Child) => child.stdout().split('\n')
  const messagesOf = (child: Child) =>
    linesOf(child)
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line))

  it('is named by both processes, which are not ready, and log each fact once without a stack', async () => {
    const place = redis.url.replace('redis://', '')
    await Promise.all(children.map((child) => child.shows(`waiting for Redis at ${place} (REDIS_URL).`)))
    for (const child of children) {
      expect(child.stdout()).not.toContain('is ready')
      expect(child.stdout() + child.stderr()).not.toMatch(/\n\s+at |\\n\s+at /)
      expect(messagesOf(child)).toContainEqual(
        expect.objectContaining({ level: 40, redis: place, msg: 'Redis is away; retrying until it is back' }),
      )
      const said = messagesOf(child).map((line) => JSON.stringify(line).replace(/"time":"[^"]*"/, ''))
      expect(new Set(said).size).toBe(said.length)
    }
  })

  it('makes both ready as soon as Redis is there', async () => {
    await redis.restart()
    await Promise.all(children.map((child) => child.shows('Gatehouse is ready at')))
    for (const child of children) expect(child.stdout()).not.toMatch(/\\n\s+at /)
  })
})
