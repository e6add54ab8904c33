import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { showFigures } from '../support/figures.ts'
import { createBuilder } from '../support/frame-builder.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const pausedMs = 60_000

/** Far above those that the builder counts itself. */
const lateSeq = 999

const xOf = (welcome: Record<string, unknown>): number => (welcome.position as { x?: number }).x ?? 0

describeDynamo('a node that is paused for a minute', () => {
  describeOwnRedis('and woken after another has taken its world', () => {
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
        // A folder of its own makes it a machine of its own.
        const variables = { ...common, DATA_DIR: await stage.createEmptyDir(), PORT: '0', LOG_LEVEL: 'info' }
        const child = stage.launch('realtime/main.ts', [], variables)
        await child.shows('Gatehouse is ready', 30_000)
        return stage.ready(child)
      }
    }, 60_000)
    afterAll(async () => {
      await stage.close()
      await redis?.stop()
      await dynamo?.stop()
    })

    const enter = async (node: Server, email: string) =>
      createBuilder(await stage.join(node.url, await stage.signIn(http.url, email)))
    const build = (builder: ReturnType<typeof createBuilder>, type: string) =>
      builder.edit(builder.places.map((place) => ({ ...place, type })))

    it('writes nothing over what the other has, tells its players, and ends', async () => {
      const paused = await startNode()
      const ann = await enter(paused, 'ann@example.com')
      await ann.look(ann.places)
      expect(await build(ann, 'planks')).toEqual({ ok: true, reason: '' })
      paused.signal('SIGSTOP')
      const stoppedMs = performance.now()

      // What waits in its sockets when it wakes.
      const edits = ann.places.map((place) => ({ ...place, type: 'glass' }))
      ann.client.send({ $case: 'editBlocks', value: { seq: lateSeq, edits } })
      const startX = xOf(ann.client.welcome)
      for (let seq = 1; seq <= 5; seq += 1) ann.client.move(startX - seq * 0.2, 0.5, seq)

      const other = await startNode()
      const takenAfterMs = Math.round(performance.now() - stoppedMs)
      const ben = await enter(other, 'ben@example.com')
      expect(await ben.look(ann.places)).toEqual(ann.places.map(() => 'planks'))
      expect(await ben.edit(ann.places.map((place) => ({ ...place, type: 'stone' })))).toEqual({ ok: true, reason: '' })
      // Ann, on the other node, walks the other way and leaves.
      const annThere = await enter(other, 'ann@example.com')
      annThere.client.move(startX + 1, 0.5, 1)
      await pause(300)
      annThere.client.send({ $case: 'disconnect', value: {} })
      await annThere.client.closed()

      await pause(Math.max(0, stoppedMs + pausedMs - performance.now()))
      paused.signal('SIGCONT')
      const wokenMs = performance.now()
      await waitFor(() => !ann.client.isOpen(), 15_000)
      const toldAfterMs = Math.round(performance.now() - wokenMs)
      expect(ann.client.received.findLast(({ case: kind }) => kind === 'kick')?.value).toMatchObject({
        code: expect.stringMatching(/^(going-away|displaced)$/),
      })
      const exitCode = await paused.ended
      const late = ann.client.received.find(({ case: kind, value }) => kind === 'editResult' && value.seq === lateSeq)?.value
      const endedAfterMs = Math.round(performance.now() - wokenMs)
      showFigures('a holder paused for 60 s', { takenAfterMs, toldAfterMs, endedAfterMs, lateEdit: late })

      expect(exitCode).toBe(1)
      expect(paused.stdout()).toContain('the lease of the world is lost')
      expect(late?.ok ?? false).toBe(false)
      expect(other.isRunning()).toBe(true)
      expect(ben.client.isOpen()).toBe(true)

      // As it is in the store, which is all that the next node knows.
      other.signal('SIGTERM')
      expect(await other.ended).toBe(0)
      const next = await startNode()
      const again = await enter(next, 'ann@example.com')
      expect(await again.look(ann.places)).toEqual(ann.places.map(() => 'stone'))
      expect(xOf(again.client.welcome)).toBeCloseTo(startX + 1)
    }, 150_000)
  })
})
