import { createMemoryAccountStore } from '../../shared/domain/accounts/store/memory-account-store.ts'
import { createProvider } from '../../shared/domain/auth/providers.ts'
import { createConfigParser } from '../../shared/domain/configs/reading/config-parser.ts'
import { noSuchConfig } from '../../shared/domain/configs/texts/config-files.ts'
import { createMemoryNodeReports } from '../../shared/domain/node-reports/node-reports-memory.ts'
import { createPasswordHasher } from '../../shared/domain/passwords/passwords.ts'
import { createPermissionNames } from '../../shared/domain/permissions/permission-names.ts'
import { createMemoryPresence } from '../../shared/domain/presence/presence-memory.ts'
import { createMemoryWhereabouts } from '../../shared/domain/presence/whereabouts.ts'
import { followSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import { createMemorySessionStore } from '../../shared/domain/sessions/session-store-memory.ts'
import { createRecordTokenStore } from '../../shared/domain/tokens/records/record-token-store.ts'
import { createMapTiles } from '../../shared/domain/worlds/map/map-tiles.ts'
import { createTileChanges } from '../../shared/domain/worlds/map/tile-changes.ts'
import { createMemoryChunkStore } from '../../shared/domain/worlds/store/chunk-store-memory.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createTurns } from '../../shared/kernel/turns.ts'
import { createMemoryEventBus } from '../../shared/platform/events/memory-events.ts'
import { createMemoryRateLimiter } from '../../shared/platform/limits/rate-limiter.ts'
import { createServiceMetrics } from '../../shared/platform/metrics/service-metrics.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { wireServices } from '../../shared/services/wire-services.ts'
import type { createMemoryConfigs } from './memory-configs.ts'
import type { TestGameOptions } from './test-game.ts'

/** A store in memory. With `fails` all its work fails; with `drops` it drops writes. */
export const createTestStore = (inner: Store) => {
  const state = { fails: false, drops: false }
  const read = async <T>(run: () => Promise<T>): Promise<T> => {
    if (state.fails) throw new AppError('unavailable', 'service-unavailable', 'The store of the test game fails.')
    return run()
  }
  const write = async <T>(run: () => Promise<T>, dropped: T): Promise<T> => (state.drops ? dropped : read(run))
  const store: Store = {
    ...inner,
    get: (...parameters) => read(() => inner.get(...parameters)),
    list: (...parameters) => read(() => inner.list(...parameters)),
    put: (...parameters) => write(() => inner.put(...parameters), 'dropped'),
    delete: (...parameters) => write(() => inner.delete(...parameters), true),
    commit: (writes) =>
      write(
        () => inner.commit(writes),
        writes.map(() => 'dropped'),
      ),
  }
  return { store, state }
}

/** Nothing in a test game reads or saves texts of configs. */
const noConfigFiles = {
  read: async () => {
    throw noSuchConfig()
  },
  write: async () => {
    throw noSuchConfig()
  },
  findOrigin: async () => undefined,
  revisions: async () => [],
  findRevision: async () => undefined,
}

/** The real services on stores in memory. */
export const wireTestServices = (
  options: TestGameOptions,
  clock: Clock,
  log: Log,
  store: Store,
  configs: ReturnType<typeof createMemoryConfigs>,
) => {
  const ids = systemIds
  const chunks = createMemoryChunkStore()
  const events = createMemoryEventBus({ log })
  const nodeReports = createMemoryNodeReports({ clock })
  const limiter = createMemoryRateLimiter()
  const turns = createTurns()
  const passwords = createPasswordHasher({ cost: 4, threads: 1 })
  const activeSanctions = followSanctions({ store, events, clock, log })
  const parser = createConfigParser()
  const tiles = createMapTiles({
    chunks,
    turns,
    clock,
    changes: createTileChanges({ nodeReports, clock, log }),
    blocks: () => configs.get('blocks.yaml'),
    files: { find: async () => undefined, put: async () => undefined },
  })
  const services = wireServices({
    environment: { worldName: options.world?.name ?? 'default', readSecret: () => undefined },
    storage: { store, chunks, configFiles: noConfigFiles, createAccountStore: createMemoryAccountStore },
    coordination: {
      tokens: createRecordTokenStore({ store, clock, ids }),
      limiter,
      events,
      presence: createMemoryPresence({ clock }),
      sessions: createMemorySessionStore({ clock }),
      whereabouts: createMemoryWhereabouts(),
      nodeReports,
      findWarnings: async () => [],
    },
    configs,
    parser,
    findUnsafe: () => [],
    permissionNames: createPermissionNames(),
    passwords,
    activeSanctions,
    tiles,
    openProvider: createProvider,
    turns,
    metrics: createServiceMetrics(),
    clock,
    ids,
    log,
  })
  const close = async (): Promise<void> => {
    activeSanctions.close()
    await tiles.close()
    await passwords.close()
    await parser.close()
    await limiter.close()
    await events.close()
    await chunks.close()
    await store.close()
  }
  const facts = { storageWarnings: [], standsOn: { redis: false, dynamodb: false }, loopbackPages: false, close }
  return { ...services, ...facts }
}

export type TestServices = ReturnType<typeof wireTestServices>
