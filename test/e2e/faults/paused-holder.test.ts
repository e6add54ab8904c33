import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Kick } from '../../../sdk/protocol/generated/gatehouse.ts'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Builder, createBuilder } from '../support/builder.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { showFigures } from '../support/figures.ts'
import { noTimers } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const pausedMs = 60_000

describeDynamo('a node that is paused for a minute', () => {
  describeOwnRedis('and resumed after another node has taken its world', () => {
    let dynamo: DynamoServer
    let redis: RedisServer
    let http: Server
    let startNode: () => Promise<Server>

    beforeAll(async () => {
      dynamo = await openDynamoForTests()
      redis = await startRedis()
      const common = { ...(await createDynamoPlace(stage, dynamo.endpoint)), REDIS_URL: redis.url }
      http = await stage.start({ ...common, DATA_DIR: await stage.createEmptyDir() }, 'infra/http.ts')
      startNode = async () => {
        // A separate folder simulates a separate machine.
        const variables = { ...common, DATA_DIR: await stage.createEmptyDir(), PORT: '0', LOG_LEVEL: 'info' }
        const child = stage.launch('realtime/main.ts', [], variables)
        await child.shows('Gatehouse is ready', 150_000)
        return stage.ready(child)
      }
    }, 180_000)
    afterAll(async () => {
      await stage.close()
      await redis?.stop()
      await dynamo?.stop()
    })

    const enter = async (node: Server, email: string) =>
      createBuilder(await stage.enter(node.url, await stage.signIn(http.url, email), { timers: noTimers }))
    const build = (builder: Builder, type: string) => builder.edit(builder.places.map((place) => ({ ...place, type })))

    it('does not overwrite changes of the other, sends its players away, and ends', async () => {
      const paused = await startNode()
      const ann = await enter(paused, 'ann@example.com')
      await ann.look(ann.places)
      expect(await build(ann, 'planks')).toEqual({ ok: true, reason: '' })
      paused.signal('SIGSTOP')
      const stoppedMs = performance.now()

      // Messages that wait in its sockets when it resumes.
      const lateEdit = build(ann, 'glass')
      const { x: startX } = ann.session.position()
      for (let step = 1; step <= 5; step += 1) ann.session.move({ x: startX - step * 0.2 })
      const kicks: Kick[] = []
      ann.session.on('kick', (kick) => kicks.push(kick))

      const other = await startNode()
      const takenAfterMs = Math.round(performance.now() - stoppedMs)
      const ben = await enter(other, 'ben@example.com')
      expect(await ben.look(ann.places)).toEqual(ann.places.map(() => 'planks'))
      expect(await ben.edit(ann.places.map((place) => ({ ...place, type: 'stone' })))).toEqual({ ok: true, reason: '' })
      // On the other node, Ann walks in the opposite direction and leaves.
      const annThere = await enter(other, 'ann@example.com')
      annThere.session.move({ x: startX + 1 })
      // The node has handled the move when it answers.
      await annThere.session.ping()
      await annThere.session.close()

      await pause(Math.max(0, stoppedMs + pausedMs - performance.now()))
      paused.signal('SIGCONT')
      const wokenMs = performance.now()
      await waitFor(() => !ann.isOpen())
      const toldAfterMs = Math.round(performance.now() - wokenMs)
      expect(kicks.at(-1)).toMatchObject({
        code: expect.stringMatching(/^(going-away|displaced)$/),
      })
      const exitCode = await paused.ended
      const late = await lateEdit
      const endedAfterMs = Math.round(performance.now() - wokenMs)
      showFigures('a holder paused for 60 s', { takenAfterMs, toldAfterMs, endedAfterMs, lateEdit: late })

      expect(exitCode).toBe(1)
      expect(paused.stdout()).toContain('the lease of the world is lost')
      expect(late?.ok ?? false).toBe(false)
      expect(other.isRunning()).toBe(true)
      expect(ben.isOpen()).toBe(true)

      // From the store, which is the only source of the next node.
      other.signal('SIGTERM')
      expect(await other.ended).toBe(0)
      const next = await startNode()
      const again = await enter(next, 'ann@example.com')
      expect(await again.look(ann.places)).toEqual(ann.places.map(() => 'stone'))
      expect(again.session.position().x).toBeCloseTo(startX + 1)
    }, 180_000)
  })
})
