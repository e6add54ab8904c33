import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { createHttpDeps } from '../../../functions/deps.ts'
import { createLambda, type Lambda } from '../../../functions/http/lambda/create-lambda.ts'
import { createLambdaApp } from '../../../functions/lambda-app.ts'
import { createLambdaContext, createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { patience } from '../../e2e/support/child.ts'
import { anyDynamo, type DynamoServer, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/metrics/otlp-receiver.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { ownRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const email = 'somebody@example.com'
const signInEvent = () =>
  createLambdaEvent({
    method: 'POST',
    target: '/auth/login',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    body: Buffer.from(JSON.stringify({ email, password: 'correct horse' })),
  })

const describeBoth = describeWhere(ownRedis, anyDynamo)

describeBoth('a traced function', () => {
  let redis: RedisServer
  let dynamo: DynamoServer
  let tables: Awaited<ReturnType<typeof openDynamo>>
  let receiver: OtlpReceiver
  let close: (() => Promise<void>) | undefined

  beforeEach(async () => {
    redis = await startRedis({ tcp: true })
    dynamo = await openDynamoForTests()
    tables = await openDynamo(dynamo.endpoint)
    receiver = await startOtlpReceiver()
  }, 180_000)
  afterEach(async () => {
    await close?.()
    for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
    await receiver.close()
    tables.close()
    await dynamo.stop()
    await redis.stop()
  })

  const open = (endpoint: string): Lambda => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint
    return createLambda(async () => {
      const deps = await createHttpDeps({
        STORAGE: 'dynamodb',
        ...patience,
        DYNAMODB_ENDPOINT: dynamo.endpoint,
        DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
        REDIS_URL: redis.url,
        LOG_LEVEL: 'silent',
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      })
      close = deps.close
      return Object.assign(createLambdaApp(authRoutes, deps), { settle: deps.flush })
    })
  }
  const of = (system: string) => (span: ReceivedSpan) => span.facts['db.system.name'] === system

  it('sends its Redis and DynamoDB calls, by name alone, before it is frozen', async () => {
    expect(await open(receiver.endpoint)(signInEvent(), createLambdaContext())).toMatchObject({ statusCode: 200 })
    const server = receiver.spans.find(({ kind }) => kind === 2)
    expect(server).toMatchObject({ name: 'POST /auth/login', traceId, facts: { 'http.response.status_code': 200 } })
    const calls = receiver.spans.filter(({ kind }) => kind === 3)
    expect(calls.every((span) => span.traceId === traceId && span.parentSpanId === server?.spanId)).toBe(true)
    const prefix = tables.target.tablePrefix
    expect(calls.filter(of('aws.dynamodb')).map(({ name }) => name)).toContain(
      `TransactWriteItems ${prefix}accounts,${prefix}records`,
    )
    expect(calls.filter(of('redis')).length).toBeGreaterThan(0)
    for (const { facts } of calls)
      expect(
        Object.keys(facts).filter((key) => !['db.system.name', 'db.operation.name', 'db.collection.name'].includes(key)),
      ).toEqual([])
    expect(receiver.texts.join()).not.toMatch(/somebody|correct horse|127\.0\.0\.1/)
  })

  it('answers when no collector accepts its traces', async () => {
    // Without this, the last attempt outlives the test.
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '2000'
    const lambda = open(`http://127.0.0.1:${await findFreePort()}`)
    for (let n = 0; n < 3; n++) expect(await lambda(signInEvent(), createLambdaContext())).toMatchObject({ statusCode: 200 })
  })
})
