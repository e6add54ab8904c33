import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { copyConfigs } from '../../../tools/package/bundle-lambda.ts'
import { patience } from '../../e2e/support/child.ts'
import { bundleLambda } from '../../support/cloud/bundle-one-lambda.ts'
import { anyDynamo, type DynamoServer, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { startOtlpReceiver } from '../../support/metrics/otlp-receiver.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { ownRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'

const describeBoth = describeWhere(ownRedis, anyDynamo)

describeBoth('the bundle of a function with traces', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  let redis: RedisServer
  let dynamo: DynamoServer
  beforeAll(async () => {
    folder = await createTempDir()
    await bundleLambda('functions/classes/handler.ts', folder.path)
    await copyConfigs(folder.path)
    redis = await startRedis({ tcp: true })
    dynamo = await openDynamoForTests()
  }, 180_000)
  afterAll(async () => {
    await dynamo?.stop()
    await redis?.stop()
    await folder.remove()
  })

  /** Calls the handler once in a process of its own, and lists the files of OpenTelemetry that it loaded. */
  const call = async (environment: Readonly<Record<string, string>>) => {
    const tables = await openDynamo(dynamo.endpoint)
    tables.close()
    const script = `const { handler } = await import('${pathToFileURL(join(folder.path, 'handler.js')).href}')
      const { statusCode } = await handler(${JSON.stringify(createLambdaEvent({ method: 'GET', target: '/api/classes' }))}, {})
      process.stdout.write(String(statusCode), () => process.exit(0))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder.path,
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'silent',
        STORAGE: 'dynamodb',
        ...patience,
        DYNAMODB_ENDPOINT: dynamo.endpoint,
        DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
        REDIS_URL: redis.url,
        ...environment,
      },
    })
    return stdout
  }
  const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8')
  const holdSdk = (): string[] =>
    readdirSync(folder.path).filter((name) => name.endsWith('.js') && read(name).includes('OTEL_TRACES_SAMPLER'))

  it('has OpenTelemetry in a file of its own, and loads it only when traces are on', () => {
    const [sdk = '', ...others] = holdSdk()
    expect(others).toEqual([])
    const importers = readdirSync(folder.path).filter((name) => name.endsWith('.js') && read(name).includes(sdk))
    expect(importers.length).toBeGreaterThan(0)
    for (const name of importers) expect(read(name)).not.toMatch(new RegExp(`(from|import)\\s*"\\./${sdk}"`))
  })

  it('sends traces when only the bundle is installed', async () => {
    const receiver = await startOtlpReceiver()
    expect(await call({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_SERVICE_NAME: 'classes' })).toBe('200')
    expect(receiver.spans).toContainEqual(expect.objectContaining({ name: 'GET /api/classes' }))
    expect(receiver.spans[0]?.resource['service.name']).toBe('classes')
    await receiver.close()
  }, 180_000)

  it('answers without traces when they are off', async () => {
    expect(await call({})).toBe('200')
  }, 180_000)
})
