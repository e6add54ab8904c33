import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { createHttpDeps } from '../../../functions/deps.ts'
import { createLambda, type Lambda } from '../../../functions/http/lambda/create-lambda.ts'
import { describeOwnDynamo, openDynamo, startDynamo } from '../../support/dynamodb/dynamodb.ts'
import { createLambdaEvent } from '../../support/http/lambda-door.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'

const refusal = {
  statusCode: 503,
  headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/), 'content-type': 'application/problem+json' },
  body: expect.stringContaining('/problems/service-unavailable'),
}
const signInEvent = () =>
  createLambdaEvent(
    'POST',
    '/auth/login',
    { 'content-type': 'application/json' },
    Buffer.from(JSON.stringify({ email: 'player@example.com', password: '' })),
  )

const describeBoth = describeOwnRedis === describe ? describeOwnDynamo : describeOwnRedis

describeBoth('a function whose Redis or DynamoDB goes away', () => {
  let redis: RedisServer
  let dynamo: Awaited<ReturnType<typeof startDynamo>>
  let tables: Awaited<ReturnType<typeof openDynamo>>
  let lambda: Lambda
  let starts: number
  let deps: Awaited<ReturnType<typeof createHttpDeps>> | undefined
  const signIn = () => lambda(signInEvent(), {})

  beforeEach(async () => {
    redis = await startRedis({ tcp: true })
    dynamo = await startDynamo()
    tables = await openDynamo(dynamo.endpoint)
    deps = undefined
    starts = 0
    lambda = createLambda(async () => {
      starts += 1
      deps = await createHttpDeps({
        STORAGE: 'dynamodb',
        DYNAMODB_ENDPOINT: dynamo.endpoint,
        DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
        REDIS_URL: redis.url,
        LOG_LEVEL: 'silent',
      })
      return createApp(authRoutes, deps)
    })
  }, 180_000)
  afterEach(async () => {
    await deps?.close()
    tables.close()
    await dynamo.stop()
    await redis.stop()
  })
  const bringTablesBack = async () => {
    await dynamo.restart()
    const again = await openDynamo(dynamo.endpoint, { target: tables.target })
    again.close()
  }

  it('answers 503 with Retry-After without Redis, and the very next call once it is back, in the same process', async () => {
    expect(await signIn()).toMatchObject({ statusCode: 200 })
    await redis.kill()
    expect(await signIn()).toMatchObject(refusal)
    expect(await signIn()).toMatchObject(refusal)
    await redis.restart()
    expect(await signIn()).toMatchObject({ statusCode: 200 })
    expect(starts).toBe(1)
  }, 180_000)

  it('answers 503 with Retry-After without DynamoDB, and the very next call once it is back, in the same process', async () => {
    expect(await signIn()).toMatchObject({ statusCode: 200 })
    await dynamo.kill()
    expect(await signIn()).toMatchObject(refusal)
    await bringTablesBack()
    expect(await signIn()).toMatchObject({ statusCode: 200 })
    expect(starts).toBe(1)
  }, 180_000)

  it('answers so as well when it cannot even start, and starts with the next call', async () => {
    await dynamo.kill()
    expect(await signIn()).toMatchObject(refusal)
    await bringTablesBack()
    expect(await signIn()).toMatchObject({ statusCode: 200 })
    expect(starts).toBe(2)
  }, 180_000)

  it('starts while Redis is away, and answers 503 until it is there', async () => {
    await redis.kill()
    expect(await signIn()).toMatchObject(refusal)
    await redis.restart()
    expect(await signIn()).toMatchObject({ statusCode: 200 })
  }, 180_000)
})
