import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { operatorRules } from '../../../shared/domain/permissions/operator-rules.ts'
import { createWorldService } from '../../../shared/domain/worlds/create-world-service.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { createZoneService } from '../../../shared/domain/zones/create-zone-service.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { createFixedConfigs } from '../configs/fixed-configs.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { createCapturedLog } from '../time/silent-log.ts'

/** A user who may change zones. */
export const zoneEditor: Actor = {
  email: 'editor@example.com',
  playerId: '3f8f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39',
  displayName: 'Editor',
  verified: true,
  rules: operatorRules,
  via: 'http',
  requestId: 'request-1',
}

/** The columns of a square with this lowest corner. */
export const squareOf = (cx: number, cz: number, width: number): ChunkPos[] =>
  Array.from({ length: width * width }, (_, at) => ({ cx: cx + Math.floor(at / width), cz: cz + (at % width) }))

/** Adds empty columns. */
export const generateColumns = async (
  { chunks, worlds }: { chunks: ChunkStore; worlds: ReturnType<typeof createWorldService> },
  columns: readonly ChunkPos[],
  world?: string,
): Promise<void> =>
  chunks.putMany(
    await worlds.getWorld(world),
    columns.map((pos) => ({ ...pos, bytes: new Uint8Array(1) })),
    1,
  )

/** Zones of the world `default`, whose columns from -4 to 3 are generated, and of a world `north` with as many. */
export const createZoneFixture = async ({
  store = createMemoryStore(),
  chunks = createMemoryChunkStore(),
}: {
  store?: Store
  chunks?: ChunkStore
} = {}) => {
  const clock = createFixedClock()
  const { log, lines } = createCapturedLog()
  const ids = systemIds
  const configs = createFixedConfigs()
  const published: unknown[] = []
  const events: Pick<EventBus, 'publish'> = { publish: async (topic, event) => void published.push({ topic, ...event }) }
  const worlds = createWorldService({ store, chunks, configs, clock, ids, activeName: 'default' })
  for (const name of ['default', 'north']) {
    if ((await worlds.findWorld(name)) !== undefined) continue
    await worlds.createWorld({ name, seed: 1 })
    await generateColumns({ chunks, worlds }, squareOf(-4, -4, 8), name)
  }
  const openService = () => createZoneService({ store, chunks, worlds, configs, events, clock, ids, log })
  const audit = createStoreAuditLog(store)
  return {
    store,
    chunks,
    worlds,
    configs,
    clock,
    published,
    lines,
    audit,
    openService,
    zones: openService(),
    /** Audit entries of zones, the latest first. */
    listAudit: async () => (await audit.listEntries({ limit: 200 })).entries.filter(({ action }) => action.startsWith('zone.')),
    close: async () => {
      await chunks.close()
      await store.close()
    },
  }
}
