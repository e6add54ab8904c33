import type { Configs } from '../configs/in-force/configs.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Store } from '../storage/store.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldService } from '../worlds/world-service.ts'

export type ZoneServiceDeps = {
  readonly store: Store
  readonly chunks: Pick<ChunkStore, 'hasMany'>
  readonly worlds: Pick<WorldService, 'findWorld' | 'getWorld'>
  readonly configs: Pick<Configs, 'get'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}
