import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { openServices } from '../../../shared/services/services.ts'
import { patience } from '../../e2e/support/child.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { silentLog } from '../../support/time/silent-log.ts'

let dir: Awaited<ReturnType<typeof createTempDir>>
let path: string
beforeEach(async () => {
  dir = await createTempDir()
  path = join(dir.path, 'defaults.yaml')
  await writeFile(path, 'http: { trustedProxies: 2 }\n')
})
afterEach(() => dir.remove())

/** The number of trusted proxies of a process, before and after a `server.yaml` is saved. */
const readBoth = async (variables: Record<string, string>): Promise<readonly number[]> => {
  const services = await openServices(
    parseEnvironment({ SERVER_DEFAULTS: path, ALLOW_PASSWORDLESS: 'true', ...patience, ...variables }, 'all'),
    silentLog,
  )
  const trusted = () => services.configs.get('server.yaml').http.trustedProxies
  const before = trusted()
  await services.configFiles.write('server.yaml', 'realtime: { motd: Hello }\n', { savedBy: 'ann@example.com' })
  await services.configs.reload()
  const after = trusted()
  await services.close()
  return [before, after]
}

describe('SERVER_DEFAULTS', () => {
  it('is the server.yaml of a data folder without a saved one, and has no effect afterwards', async () => {
    const dataDir = join(dir.path, 'data')
    // A folder in use gets no starter files.
    await mkdir(join(dataDir, 'config'), { recursive: true })
    expect(await readBoth({ DATA_DIR: dataDir })).toEqual([2, 0])
  })

  it('is refused when the file is missing, because its settings would be', async () => {
    const variables = { DATA_DIR: join(dir.path, 'data'), SERVER_DEFAULTS: join(dir.path, 'nowhere.yaml') }
    await expect(readBoth(variables)).rejects.toMatchObject({
      kind: 'invalid',
      publicDetail: expect.stringContaining('(SERVER_DEFAULTS)'),
    })
  })
})

describeDynamo('SERVER_DEFAULTS with DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  it('is the server.yaml of tables without a saved one, and has no effect afterwards', async () => {
    const { target, close } = await openDynamo(server.endpoint)
    close()
    const tables = { DYNAMODB_ENDPOINT: server.endpoint, DYNAMODB_TABLE_PREFIX: target.tablePrefix }
    expect(await readBoth({ STORAGE: 'dynamodb', ...tables })).toEqual([2, 0])
  })
})
