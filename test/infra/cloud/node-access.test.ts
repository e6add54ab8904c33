import { afterAll, beforeAll, expect, it } from '@jest/globals'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { nodeAccess } from '../../../infra/cloud/access.js'
import { ask } from '../../e2e/support/api.ts'
import { createBuilder } from '../../e2e/support/builder.ts'
import { createDynamoPlace } from '../../e2e/support/dynamo-place.ts'
import { administrator, createStage } from '../../e2e/support/stage.ts'
import { anyDynamo, type DynamoServer, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { type DynamoRecorder, startDynamoRecorder } from '../../support/dynamodb/dynamodb-recorder.ts'
import { openFeedClient } from '../../support/feeds/feed-client.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { anyRedis, openRedisForTests } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const granted: Readonly<Record<string, readonly string[]>> = nodeAccess
const grants = Object.entries(granted).flatMap(([table, actions]) => actions.map((action) => `${table} ${action}`))

/**
 * Rare calls. A change that leaves an account unchanged checks it in the transaction of its audit entry. Pages of chunks are read by work
 * that may not occur in this short time.
 */
const seldom = ['accounts dynamodb:ConditionCheckItem', 'chunks dynamodb:Query']

const describeBoth = describeWhere(anyRedis, anyDynamo)

describeBoth('the IAM policy of a real-time node', () => {
  const stage = createStage()
  let redis: Awaited<ReturnType<typeof openRedisForTests>>
  let dynamo: DynamoServer
  let recorder: DynamoRecorder

  beforeAll(async () => {
    redis = await openRedisForTests()
    dynamo = await openDynamoForTests()
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await recorder?.close()
    await dynamo?.stop()
    await redis?.stop()
  })

  it('covers every DynamoDB call of the node and no other action', async () => {
    const place = await createDynamoPlace(stage, dynamo.endpoint)
    recorder = await startDynamoRecorder(dynamo.endpoint, String(place.DYNAMODB_TABLE_PREFIX))
    const [dataDir, port] = [await stage.createEmptyDir(), String(await findFreePort())]
    const common = { ...place, REDIS_URL: redis.url, DATA_DIR: dataDir }
    const adding = stage.adduser(dataDir, [administrator.email, administrator.password, '--groups', 'admin'], common)
    expect(await adding.ended).toBe(0)
    const http = await stage.start({ ...common, REALTIME_URL: `http://127.0.0.1:${port}` }, 'infra/http.ts')
    const startNode = () => stage.start({ ...common, DYNAMODB_ENDPOINT: recorder.endpoint, PORT: port }, 'realtime/main.ts')
    const node = await startNode()

    const token = await stage.signIn(http.url, administrator.email, administrator.password)
    await stage.signIn(http.url, 'guest@example.com')
    const boss = await stage.enter(http.url, token)
    const builder = createBuilder(boss)
    const places = builder.places.slice(0, 5)
    await builder.look(places)
    expect(await builder.edit(places.map((at) => ({ ...at, type: 'planks' })))).toMatchObject({ ok: true })

    const zone = { name: 'Town', yMin: 0, yMax: 60, chunks: [{ cx: 0, cz: 0 }] }
    const made = await ask(http.url, 'POST /api/admin/instances', { token, body: zone })
    expect(made.status).toBe(201)
    const feed = await openFeedClient(`${http.url.replace(/^http/, 'ws')}/api/admin/ws/instances/${made.body.id}`, { token })
    feed.edit(1, [[1, 40, 1]])
    expect(await feed.result(1)).toMatchObject({ ok: true })
    feed.terminate()

    const refused: string[] = []
    const run = async (text: string) => {
      const { ok, text: answer } = await boss.session.command(text)
      if (!ok) refused.push(`${text}: ${answer}`)
    }
    const commands = ['/who', '/world', '/zones', '/tp 2 70 2', '/save', '/say hello', '/rbac:listgroups', '/reload']
    for (const text of commands) await run(text)
    await run('/adduser new@example.com a-long-password New player')
    await run('/rbac:setgroup new@example.com builder')
    await run('/rbac:setgroup new@example.com builder')
    await run('/rbac:removegroup new@example.com builder')
    await run('/why new@example.com world.build')
    await run('/command:disable who new@example.com')
    await run('/command:enable who new@example.com')
    await run('/zone:disable Town')
    // Reading the active sanctions removes expired ones.
    await run('/ban guest@example.com 1h spam')
    await run('/unban guest@example.com')
    await run('/zone:enable Town')
    expect(refused).toEqual([])

    // Places are stored when the node stops, and read when it starts again.
    node.signal('SIGTERM')
    expect(await node.ended).toBe(0)
    await startNode()
    const again = await stage.join(http.url, await stage.signIn(http.url, administrator.email, administrator.password))
    await waitFor(() => again.count('chunk') > 0)

    const used = recorder.take()
    expect(used.filter((use) => !grants.includes(use))).toEqual([])
    expect(grants.filter((grant) => !used.includes(grant) && !seldom.includes(grant))).toEqual([])
  }, 180_000)
})
