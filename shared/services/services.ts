import { join } from 'node:path'
import { createProvider } from '../domain/auth/providers.ts'
import { type Configs, loadConfigs } from '../domain/configs/current/configs.ts'
import { createConfigParser } from '../domain/configs/reading/config-parser.ts'
import { createFindUnsafe, refuseUnsafeSettings } from '../domain/configs/server/startup-checks.ts'
import { listReportedPermissions } from '../domain/modules/admin/module-report.ts'
import { createPasswordHasher } from '../domain/passwords/passwords.ts'
import { createSlowestCost } from '../domain/passwords/slowest-cost.ts'
import { createPermissionNames } from '../domain/permissions/permission-names.ts'
import { followSanctions } from '../domain/sanctions/active/follow-sanctions.ts'
import { openMapTiles } from '../domain/worlds/map/files/open-map-tiles.ts'
import { systemClock } from '../kernel/clock.ts'
import { systemIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { isWithinMachine } from '../kernel/loopback.ts'
import { createSteeredClock } from '../kernel/steered-clock.ts'
import { createTurns } from '../kernel/turns.ts'
import { createServiceMetrics, measureOperations, type ServiceMetrics } from '../platform/metrics/service-metrics.ts'
import type { Environment } from '../platform/process/environment.ts'
import { describeUnwritable } from '../platform/storage/files/describe-unwritable.ts'
import { openCoordination } from './coordination.ts'
import { refuseHalfMoved } from './migration-record.ts'
import { openStorage } from './storage.ts'
import { type Services, wireServices } from './wire-services.ts'

export type ServicesOptions = {
  /** How long a command waits while Redis is being reconnected, in milliseconds; when absent, it does not wait. */
  readonly redisWaitMs?: number
  readonly metrics?: ServiceMetrics
}

/**
 * Opens the data folder or DynamoDB, and Redis, reads the configs and connects the services. Throws AppError for an unusable config or
 * folder, for an incomplete migration, and for unsafe settings.
 */
export const openServices = async (
  environment: Environment,
  log: Log,
  { redisWaitMs, metrics = createServiceMetrics() }: ServicesOptions = {},
): Promise<Services> => {
  const clock = createSteeredClock(systemClock)
  const ids = systemIds
  const storage = await openStorage(environment, { clock, ids, log })
  const { configFiles } = storage
  const store = measureOperations('store', storage.store, { metrics, clock })
  const chunks = measureOperations('chunks', storage.chunks, { metrics, clock })
  await refuseHalfMoved(store)
  const coordination = openCoordination({ ...environment, store: storage.store, clock, ids, log, redisWaitMs, metrics })
  const { events } = coordination
  const findUnsafe = createFindUnsafe(environment)
  const parser = createConfigParser()
  const permissionNames = createPermissionNames(() => listReportedPermissions(coordination.nodeReports))
  const startConfigs = async (): Promise<Configs> => {
    const loaded = await loadConfigs({ files: configFiles, store, events, log, clock, findUnsafe, parser, permissionNames })
    refuseUnsafeSettings({ environment, server: loaded.get('server.yaml') })
    return loaded
  }
  const activeSanctions = followSanctions({ store, events, clock, log })
  const startAll = async (): Promise<Configs> => {
    await activeSanctions.start()
    return startConfigs()
  }
  // A Lambda repeats a failed start in the same process.
  const configs = await startAll().catch(async (error: unknown) => {
    activeSanctions.close()
    await coordination.close()
    await storage.close()
    throw error
  })
  const storageWarnings = environment.dynamodb === undefined ? describeUnwritable(join(environment.dataDir, 'config')) : []
  for (const warning of storageWarnings) log.warn({}, warning)
  const turns = createTurns()
  const tiles = openMapTiles(environment, { chunks, configs, turns, clock, ids, log, nodeReports: coordination.nodeReports })
  const passwords = createPasswordHasher({
    cost: () => configs.get('server.yaml').auth.local.bcryptCost,
    slowestCost: createSlowestCost({ store, clock, log }),
  })
  metrics.watchPasswords(passwords.waiting)
  const services = wireServices({
    environment,
    storage: { ...storage, store, chunks },
    coordination,
    configs,
    parser,
    findUnsafe,
    permissionNames,
    passwords,
    activeSanctions,
    tiles,
    openProvider: createProvider,
    turns,
    metrics,
    clock,
    ids,
    log,
  })
  return {
    ...services,
    storageWarnings,
    standsOn: { redis: environment.redisUrl !== undefined, dynamodb: environment.dynamodb !== undefined },
    loopbackPages: isWithinMachine(environment),
    close: async () => {
      await tiles.close()
      await passwords.close()
      await services.accountStore.close()
      activeSanctions.close()
      await configs.close()
      await parser.close()
      await coordination.close()
      await storage.close()
    },
  }
}
