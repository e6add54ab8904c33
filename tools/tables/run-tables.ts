import { parseArgs } from 'node:util'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { parseEnvironment, type RawEnvironment } from '../../shared/platform/process/environment.ts'
import { createDynamo, taskPatience } from '../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createTables } from './create-tables.ts'

export type TablesEdges = {
  readonly args: readonly string[]
  readonly environment: RawEnvironment
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

const usage = `npm run tables [-- --in-aws]
  Creates the tables at DYNAMODB_ENDPOINT, with names that begin with DYNAMODB_TABLE_PREFIX, and waits until they can be used.
  Existing tables do not change. If no endpoint is set, --in-aws creates the tables in AWS_REGION, without the backups and
  alarms that serverless.yml gives them.
`

const parseArguments = (args: readonly string[]) => {
  try {
    const options = { 'in-aws': { type: 'boolean' }, help: { type: 'boolean' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch {
    return undefined
  }
}

const create = async ({ environment, print }: TablesEdges, isInAws: boolean): Promise<void> => {
  const { dynamodb: target, logLevel } = parseEnvironment({ ...environment, STORAGE: 'dynamodb' }, 'task')
  if (target === undefined || (target.endpoint === undefined && !isInAws))
    throw new AppError(
      'invalid',
      'bad-request',
      'DYNAMODB_ENDPOINT is not set. Set it to your DynamoDB (http://127.0.0.1:8000), or add --in-aws to use the region AWS_REGION.',
    )
  const dynamo = createDynamo({
    target,
    ids: systemIds,
    log: createLog(logLevel === 'info' ? 'silent' : logLevel, 'gatehouse-task'),
    ...taskPatience,
  })
  try {
    const tables = await dynamo.ask((client) => createTables(client, target.tablePrefix))
    for (const { name, isNew } of tables) print(`${name}: ${isNew ? 'created' : 'there already'}\n`)
  } finally {
    dynamo.close()
  }
}

/** `npm run tables`; returns the exit status. */
export const runTables = async (edges: TablesEdges): Promise<number> => {
  const options = parseArguments(edges.args)
  if (options === undefined || options.help === true) {
    ;(options === undefined ? edges.complain : edges.print)(usage)
    return options === undefined ? 2 : 0
  }
  try {
    await create(edges, options['in-aws'] === true)
    return 0
  } catch (error) {
    const reason = error instanceof AppError ? error.publicDetail : String(error)
    edges.complain(`The tables cannot be created. ${reason}\n`)
    return 1
  }
}
