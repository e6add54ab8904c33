import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createDynamo } from '../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { runTables } from '../../../tools/tables/run-tables.ts'
import { createTestTarget, type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { counters } from '../../support/storage/counter-collection.ts'
import { silentLog } from '../../support/time/silent-log.ts'

const run = async (args: readonly string[], environment: Record<string, string> = {}) => {
  const output = { printed: '', complaint: '' }
  const status = await runTables({
    args,
    environment,
    print: (text) => {
      output.printed += text
    },
    complain: (text) => {
      output.complaint += text
    },
  })
  return { status, ...output }
}

describeDynamo('npm run tables', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  it('creates the tables, and leaves them unchanged the next time', async () => {
    const target = createTestTarget(server.endpoint)
    const environment = { DYNAMODB_ENDPOINT: server.endpoint, DYNAMODB_TABLE_PREFIX: target.tablePrefix }
    const names = ['records', 'accounts', 'configs', 'chunks'].map((name) => target.tablePrefix + name)
    expect(await run([], environment)).toEqual({
      status: 0,
      printed: names.map((name) => `${name}: created\n`).join(''),
      complaint: '',
    })
    const dynamo = createDynamo({ target, ids: systemIds, log: silentLog })
    const store = createDynamoStore({ dynamo, ids: systemIds })
    await store.put(counters, 'one', { n: 1 })
    expect((await run([], environment)).printed).toBe(names.map((name) => `${name}: there already\n`).join(''))
    expect((await store.get(counters, 'one'))?.value).toEqual({ n: 1 })
    dynamo.close()
  })
})

describe('npm run tables', () => {
  it('changes no AWS account without --in-aws', async () => {
    const { status, complaint } = await run([], { AWS_REGION: 'eu-central-1' })
    expect(status).toBe(1)
    expect(complaint).toMatch(/DYNAMODB_ENDPOINT is not set.*--in-aws/)
  })

  it('reports invalid variables, and an endpoint that does not answer', async () => {
    expect((await run([], { DYNAMODB_ENDPOINT: 'nonsense', AWS_REGION: 'x' })).complaint).toContain('DYNAMODB_ENDPOINT: ')
    const nobody = await run([], { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })
    expect(nobody).toMatchObject({ status: 1, complaint: expect.stringContaining('does not answer') })
  })

  it('prints its usage', async () => {
    expect(await run(['--help'])).toMatchObject({ status: 0, printed: expect.stringContaining('npm run tables') })
    expect(await run(['--oops'])).toMatchObject({ status: 2, complaint: expect.stringContaining('npm run tables') })
  })
})
