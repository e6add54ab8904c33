import { createHash } from 'node:crypto'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStoreAccountStore } from '../../../shared/domain/accounts/store/records/record-account-store.ts'
import { createRevisionLog } from '../../../shared/domain/configs/texts/config-files-revisions.ts'
import { createStoreConfigTarget } from '../../../shared/domain/configs/texts/config-files-store-move.ts'
import { decodeConfig, readFileOnDisk } from '../../../shared/domain/configs/texts/embedded/config-file-on-disk.ts'
import { acquireLease } from '../../../shared/domain/worlds/leases/acquire-lease.ts'
import { createDynamoChunkStore } from '../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { createDynamo, type DynamoPatience } from '../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import type { DynamoTarget } from '../../../shared/platform/storage/dynamodb/dynamodb-target.ts'
import { resourcePath } from '../../../shared/platform/storage/files/resource-path.ts'
import type { StorageDeps } from '../../../shared/services/storage-adapters.ts'
import type { TargetPlace } from './place.ts'

const readBundled = async (name: string): Promise<string | undefined> => {
  const file = await readFileOnDisk(join(resourcePath('config'), name), name)
  return file && decodeConfig(file.bytes, name)
}

/** The tables of `target`, as a source or as a target. Connects with the first request. */
export const openDynamoPlace = (
  target: DynamoTarget,
  { clock, ids, log }: StorageDeps,
  patience: DynamoPatience,
): TargetPlace => {
  const { endpoint, region, tablePrefix } = target
  const identity = `dynamodb ${endpoint ?? region} ${tablePrefix}`
  const dynamo = createDynamo({ target, ids, log, ...patience })
  const store = createDynamoStore({ dynamo, ids })
  const chunks = createDynamoChunkStore({ dynamo, ids })
  const accounts = createStoreAccountStore({ store, isAdministrator: () => false })
  // Locks of nodes on DynamoDB are in their data folders, which may be the source. Locks of migrations are separate, as on a
  // machine of their own.
  const machineId = createHash('sha256').update(`migration\n${hostname()}\n${process.getuid?.()}\n${identity}`).digest('hex')
  const lockPathOf = (worldName: string) => join(tmpdir(), `gatehouse-migrate-${machineId.slice(0, 16)}`, `${worldName}.lease`)
  const holder = { name: `npm run migrate on ${hostname()}, process ${process.pid}`, machineId, pid: process.pid }
  return {
    kind: 'dynamodb',
    label: `DynamoDB at ${endpoint ?? region}, tables ${tablePrefix}*`,
    identity,
    machineId,
    store,
    chunks,
    accounts,
    configs: createStoreConfigTarget({ revisionLog: createRevisionLog(store, ids), readBundled, clock }),
    holdWorld: async () => true,
    acquireLease: (worldName) => acquireLease({ store, clock, ids, log, worldName, holder, lockPath: lockPathOf(worldName) }),
    close: async () => {
      await accounts.close()
      await chunks.close()
      await store.close()
      dynamo.close()
    },
  }
}
