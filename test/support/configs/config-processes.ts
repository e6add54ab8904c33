import { afterEach } from '@jest/globals'
import { type Configs, type LoadConfigsDeps, loadConfigs } from '../../../shared/domain/configs/current/configs.ts'
import type { AppError } from '../../../shared/kernel/errors.ts'
import type { EventBus } from '../../../shared/platform/events/event-bus.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { createCapturedLog } from '../time/silent-log.ts'
import { createConfigTexts } from './config-texts.ts'

const hour = 3_600_000

const opened: Configs[] = []
afterEach(async () => {
  for (const configs of opened.splice(0)) await configs.close()
})

/** Config files and a store in memory, and processes that use them. Everything is closed after each test. */
export const createConfigProcesses = (texts: Record<string, string | AppError> = {}) => {
  const { log, lines } = createCapturedLog()
  const files = createConfigTexts(texts)
  const store = createMemoryStore()
  const clock = createFixedClock()
  const createBus = () => createMemoryEventBus({ log })
  /** Starts one process. Without its own bus it receives no events; it polls only with an interval. */
  const start = async ({
    events = createBus(),
    pollMs = hour,
    on = store,
    findUnsafe,
  }: {
    events?: EventBus
    pollMs?: number
    on?: Store
    findUnsafe?: LoadConfigsDeps['findUnsafe']
  } = {}) => {
    const configs = await loadConfigs({ files, store: on, events, log, clock, pollMs, ...(findUnsafe && { findUnsafe }) })
    opened.push(configs)
    return configs
  }
  return { files, store, createBus, start, lines }
}

/** A `groups.yaml` with one group. */
export const groupNamed = (name: string) => `groups: [{name: ${name}, permissions: [world.build]}]`

/** A `groups.yaml` with a fault in line 2, column 33. */
export const brokenGroups = 'groups:\n  - {name: a, permissions: [x], extra: 1}\n'

export const firstGroup = (configs: Configs) => configs.get('groups.yaml').groups[0]?.name

/** Counts reads of the files from now on. */
export const countReads = (files: ReturnType<typeof createConfigTexts>) => {
  const counter = { reads: 0 }
  const { read } = files
  files.read = (name) => {
    counter.reads += 1
    return read(name)
  }
  return counter
}
