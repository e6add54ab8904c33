import { parseEnvironment, type RawEnvironment } from '../../../shared/platform/process/environment.ts'
import type { DynamoPatience } from '../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import type { StorageDeps } from '../../../shared/services/storage-adapters.ts'
import type { PlaceKind, SourcePlace, TargetPlace } from './place.ts'

/** Opens both places of the environment: the data folder by DATA_DIR, the tables by the variables of DynamoDB. */
export type PlaceOpener = {
  openSource(kind: PlaceKind): Promise<SourcePlace>
  openTarget(kind: PlaceKind): Promise<TargetPlace>
}

/** A new table is throttled often, and no user waits. */
const migratePatience: DynamoPatience = { patienceMs: 30_000, answerMs: 10_000, keepsTrying: true }

export const createPlaceOpener = (
  environment: RawEnvironment,
  deps: StorageDeps,
  patience: DynamoPatience = migratePatience,
): PlaceOpener => {
  const openDynamo = async (): Promise<TargetPlace> => {
    const { dynamodb } = parseEnvironment({ ...environment, STORAGE: 'dynamodb' }, 'task')
    if (dynamodb === undefined) throw new TypeError('STORAGE=dynamodb has a target')
    const { openDynamoPlace } = await import('./open-dynamodb-place.ts')
    return openDynamoPlace(dynamodb, deps, patience)
  }
  const readDataDir = (): string => parseEnvironment({ ...environment, STORAGE: 'embedded' }, 'task').dataDir
  return {
    openSource: async (kind) => {
      if (kind === 'dynamodb') return openDynamo()
      const { openEmbeddedSource } = await import('./open-embedded-place.ts')
      return openEmbeddedSource(readDataDir(), deps)
    },
    openTarget: async (kind) => {
      if (kind === 'dynamodb') return openDynamo()
      const { openEmbeddedTarget } = await import('./open-embedded-place.ts')
      return openEmbeddedTarget(readDataDir(), deps)
    },
  }
}
