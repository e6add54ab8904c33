import { describe, expect, it } from '@jest/globals'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createServiceMetrics, measureOperations } from '../../../../shared/platform/metrics/service-metrics.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { describeChunkStore } from '../../../contracts/chunk-store-contract.ts'
import { describeStore } from '../../../contracts/store-contract.ts'
import { tokenStoreContract } from '../../../contracts/token-store-contract.ts'
import { createMemoryTokenStore } from '../../../support/auth/memory-tokens.ts'
import { counters } from '../../../support/storage/counter-collection.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const silent = { metrics: createServiceMetrics(), clock: createFixedClock() }

describeStore('that is measured', async () => {
  const store = measureOperations('store', createMemoryStore(), silent)
  return { store, dispose: () => store.close() }
})

describeChunkStore('that is measured', async () => {
  const store = measureOperations('chunks', createMemoryChunkStore(), silent)
  return { store, dispose: () => store.close() }
})

tokenStoreContract('that is measured', async (clock) => {
  const store = measureOperations('tokens', createMemoryTokenStore({ clock, ids: systemIds }), {
    metrics: createServiceMetrics(),
    clock,
  })
  return { store, close: () => store.close() }
})

describe('a measured port', () => {
  it('reports the operation, its duration and its error, and throws the same error', async () => {
    const clock = createFixedClock()
    const observed: unknown[] = []
    const metrics = { observeOperation: (...facts: unknown[]) => void observed.push(facts) }
    const slow: Store = {
      ...createMemoryStore(),
      get: async () => {
        clock.advance(250)
        return undefined
      },
      delete: async () => {
        clock.advance(500)
        throw new AppError('unavailable', 'service-unavailable', 'Gone.')
      },
    }
    const store = measureOperations('store', slow, { metrics, clock })
    await store.get(counters, 'one')
    const fault = await store.delete(counters, 'one').catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(AppError)
    expect(observed).toEqual([
      ['store', 'get', 0.25, undefined],
      ['store', 'delete', 0.5, fault],
    ])
  })
})
