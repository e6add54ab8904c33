import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../shared/kernel/env.ts'
import { openServices } from '../../shared/services.ts'
import { createChunk, setBlock } from '../../shared/worlds/chunk.ts'
import { createSampleRegistry } from '../support/chunk-samples.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../support/dynamodb.ts'
import { findFreePort } from '../support/free-port.ts'
import { storeColumns } from '../support/listed-zone.ts'
import { describeRedis, openRedisForTests } from '../support/redis.ts'
import { silentLog } from '../support/silent-log.ts'
import { type Child, startChild } from './support/child.ts'
import { administrator, createStage, quickConfig } from './support/stage.ts'

const describeBoth = describeRedis === describe ? describeDynamo : describeRedis
const stage = createStage()

describeBoth('the conformance suite against npm run start:lambda', () => {
  let redis: Awaited<ReturnType<typeof openRedisForTests>>
  let dynamo: DynamoServer
  let lambdas: Child
  let url: string

  beforeAll(async () => {
    redis = await openRedisForTests()
    dynamo = await openDynamoForTests()
    const tables = await openDynamo(dynamo.endpoint)
    const variables = {
      STORAGE: 'dynamodb',
      DYNAMODB_ENDPOINT: dynamo.endpoint,
      DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
      REDIS_URL: redis.url,
    }
    tables.close()
    const adding = stage.launch('infra/adduser.ts', [administrator.email, administrator.password, '--groups', 'admin'], variables)
    expect(await adding.ended).toBe(0)
    // A column of the world, which only the real-time node would make.
    const services = await openServices(parseEnvironment({ ...variables, LOG_LEVEL: 'silent' }, 'task'), silentLog)
    const world = await services.worlds.createWorld({ name: 'default', seed: 1 })
    const column = createChunk(0, 0)
    for (let x = 0; x < 16; x += 1) for (let y = 3; y < 6; y += 1) setBlock(column, { x, y, z: x }, 2)
    await storeColumns(services.chunks, [column], createSampleRegistry(['stone', 'soil']), world)
    await services.configFiles.write('server.yaml', quickConfig, { savedBy: 'operator@example.com' })
    await services.close()
    const port = String(await findFreePort())
    const started = startChild(process.execPath, ['--import', 'tsx', 'infra/lambda-offline.ts'], { ...variables, PORT: port })
    lambdas = stage.adopt(started)
    await lambdas.shows(/^Gatehouse is ready at (\S+)/m, 60_000)
    url = /^Gatehouse is ready at (\S+)/m.exec(lambdas.stdout())?.[1] ?? ''
  }, 120_000)
  afterAll(async () => {
    lambdas?.signal('SIGTERM')
    await lambdas?.ended
    await stage.close()
    await dynamo?.stop()
    await redis?.stop()
  }, 60_000)

  it('passes as an administrator who writes', async () => {
    const args = ['--url', url, '--email', administrator.email, '--password', '-', '--write']
    const child = stage.launch('infra/conformance.ts', args, {})
    child.endInput(`${administrator.password}\n`)
    const status = await child.ended
    const stdout = child.stdout()
    expect({ status, failed: stdout.match(/^ {2}✗.*(\n {6}.*)*/gm) }).toEqual({ status: 0, failed: null })
    expect(stdout).toMatch(/\n\d{3} passed, 0 failed, \d+ skipped\n$/)
  }, 240_000)
})
