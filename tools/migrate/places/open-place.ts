import { parseEnvironment, type RawEnvironment } from '../../../shared/platform/process/environment.ts'
import type { StorageDeps } from '../../../shared/services/storage-adapters.ts'
import type { PlaceKind, SourcePlace, TargetPlace } from './place.ts'

/** Opens both places of the environment: the data folder by DATA_DIR, the tables by the variables of DynamoDB. */
export type PlaceOpener = {
  openSource(kind: PlaceKind): Promise<SourcePlace>
  openTarget(kind: PlaceKind): Promise<TargetPlace>
  /** The target of a finished migration, for reading only. */
  openEnded(kind: PlaceKind): Promise<SourcePlace>
}

export const createPlaceOpener = (environment: RawEnvironment, deps: StorageDeps): PlaceOpener => {
  const openDynamo = async (): Promise<TargetPlace> => {
    const { dynamodb } = parseEnvironment({ ...environment, STORAGE: 'dynamodb' }, 'task')
    if (dynamodb === undefined) throw new TypeError('STORAGE=dynamodb has a target')
    const { openDynamoPlace } = await import('./open-dynamodb-place.ts')
    return openDynamoPlace(dynamodb, deps)
  }
  const readDataDir = (): string => parseEnvironment({ ...environment, STORAGE: 'embedded' }, 'task').dataDir
  const openSource = async (kind: PlaceKind): Promise<SourcePlace> => {
    if (kind === 'dynamodb') return openDynamo()
    const { openEmbeddedSource } = await import('./open-embedded-place.ts')
    return openEmbeddedSource(readDataDir(), deps)
  }
  return {
    openSource,
    openEnded: openSource,
    openTarget: async (kind) => {
      if (kind === 'dynamodb') return openDynamo()
      const { openEmbeddedTarget } = await import('./open-embedded-place.ts')
      return openEmbeddedTarget(readDataDir(), deps)
    },
  }
}
