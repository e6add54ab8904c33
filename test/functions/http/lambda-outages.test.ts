import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { createHttpDeps } from '../../../functions/deps.ts'
import { createLambda } from '../../../functions/http/lambda/create-lambda.ts'
import { createLambdaContext, createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { patience } from '../../e2e/support/child.ts'
import { openDynamo, ownDynamo, startDynamo } from '../../support/dynamodb/dynamodb.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { ownRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const refusal = {
  statusCode: 503,
  headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/), 'content-type': 'application/problem+json' },
  body: expect.stringContaining('/problems/service-unavailable'),
}
const signInEvent = () =>
  createLambdaEvent({
    method: 'POST',
    target: '/auth/login',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ email: 'player@example.com', password: '' })),
  })

const describeBoth = describeWhere(ownRedis, ownDynamo)

describeBoth('a function during an outage of Redis or DynamoDB', () => {
  let redis: RedisServer
  let dynamo: Awaited<ReturnType<typeof startDynamo>>
  let tables: Awaited<ReturnType<typeof openDynamo>>
  const opened: Awaited<ReturnType<typeof createHttpDeps>>[] = []

  const createFunction = () => {
    let starts = 0
    const lambda = createLambda(async () => {
      starts += 1
      const deps = await createHttpDeps({
        STORAGE: 'dynamodb',
        DYNAMODB_ENDPOINT: dynamo.endpoint,
        DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
        REDIS_URL: redis.url,
        // A killed service refuses at once. A long timeout keeps a slow service on a busy machine from counting as an outage.
        ...patience,
        LOG_LEVEL: 'silent',
      })
      opened.push(deps)
      return createApp(authRoutes, deps)
    })
    return { signIn: () => lambda(signInEvent(), createLambdaContext()), countStarts: () => starts }
  }

  // Starting it takes most of the time of this suite, so a test that kills it restarts it.
  beforeAll(async () => {
    dynamo = await startDynamo()
  }, 180_000)
  afterAll(() => dynamo.stop())
  beforeEach(async () => {
    redis = await startRedis({ tcp: true })
    tables = await openDynamo(dynamo.endpoint)
  }, 180_000)
  afterEach(async () => {
    for (const deps of opened.splice(0)) await deps.close()
    tables.close()
    await redis.stop()
  })

  it('answers 503 with Retry-After without Redis, and recovers in the same process', async () => {
    const { signIn, countStarts } = createFunction()
    expect(await signIn()).toMatchObject({ statusCode: 200 })
    await redis.kill()
    expect(await signIn()).toMatchObject(refusal)
    expect(await signIn()).toMatchObject(refusal)
    await redis.restart()
    await waitFor(async () => (await signIn()).statusCode === 200)
    expect(countStarts()).toBe(1)
  }, 180_000)

  it('starts without Redis, and answers 503 until Redis is back', async () => {
    const { signIn } = createFunction()
    await redis.kill()
    expect(await signIn()).toMatchObject(refusal)
    await redis.restart()
    await waitFor(async () => (await signIn()).statusCode === 200)
  }, 180_000)

  it('answers 503 with Retry-After without DynamoDB, running or starting, and then recovers', async () => {
    const [running, starting] = [createFunction(), createFunction()]
    expect(await running.signIn()).toMatchObject({ statusCode: 200 })
    await dynamo.kill()
    expect(await running.signIn()).toMatchObject(refusal)
    expect(await starting.signIn()).toMatchObject(refusal)
    await dynamo.restart()
    const again = await openDynamo(dynamo.endpoint, { target: tables.target })
    again.close()
    expect(await running.signIn()).toMatchObject({ statusCode: 200 })
    expect(await starting.signIn()).toMatchObject({ statusCode: 200 })
    expect([running.countStarts(), starting.countStarts()]).toEqual([1, 2])
  }, 180_000)
})
