import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStoreConfigFiles } from '../../../shared/domain/configs/texts/config-files-store.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { openDynamo } from '../../support/dynamodb/dynamodb-tables.ts'
import { type createStage, quickConfig } from './stage.ts'

/** A short view: DynamoDB stores each column that a player sees. */
const nearConfig = `${quickConfig}realtime: { viewRadius: 2 }\n`

/**
 * New tables with level ground and `serverConfig` as an administrator would save them; resolves with the variables of a server
 * that uses them.
 */
export const createDynamoPlace = async (
  stage: ReturnType<typeof createStage>,
  endpoint: string,
  serverConfig = nearConfig,
): Promise<Record<string, string>> => {
  const dynamo = await openDynamo(endpoint)
  const store = createDynamoStore({ dynamo, ids: systemIds })
  const files = createStoreConfigFiles({ store, readBundled: async () => '', clock: systemClock, ids: systemIds })
  const folder = join(await stage.createDataDir(serverConfig), 'config')
  for (const name of ['groups.yaml', 'server.yaml', 'worldgen.yaml'])
    await files.write(name, await readFile(join(folder, name), 'utf8'), { savedBy: 'operator@example.com' })
  dynamo.close()
  return { STORAGE: 'dynamodb', DYNAMODB_ENDPOINT: endpoint, DYNAMODB_TABLE_PREFIX: dynamo.target.tablePrefix }
}
