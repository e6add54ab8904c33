import { describe, expect, it } from '@jest/globals'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { SourcePlace } from '../../../tools/migrate/places/place.ts'
import { createRetries, readWithRetries } from '../../../tools/migrate/retries.ts'

const throttled = () => new AppError('unavailable', 'service-unavailable', 'no answer', { retryAfterSeconds: 1 })
const world = { name: 'default', id: '00000000-0000-4000-8000-000000000001' }

const createTest = (pausesMs: readonly number[]) => {
  const complaints: string[] = []
  const stop = new AbortController()
  const retry = createRetries({ pausesMs, complain: (text) => complaints.push(text), signal: stop.signal })
  return { complaints, stop, retry }
}

/** Fails `faults` times, then succeeds. */
const failing = (faults: number) => {
  let left = faults
  return async () => {
    left -= 1
    if (left >= 0) throw throttled()
    return 'done'
  }
}

describe('retries', () => {
  it('repeats after a transient error, and reports it once', async () => {
    const { retry, complaints } = createTest([1, 1])
    expect(await retry(failing(2))).toBe('done')
    expect(complaints).toHaveLength(1)
  })

  it('throw the last error after all pauses, and a permanent error at once', async () => {
    const { retry } = createTest([1, 1])
    await expect(retry(failing(3))).rejects.toMatchObject({ retryAfterSeconds: 1 })
    let tries = 0
    const refused = retry(async () => {
      tries += 1
      throw new AppError('conflict', 'conflict', 'no')
    })
    await expect(refused).rejects.toMatchObject({ kind: 'conflict' })
    expect(tries).toBe(1)
  })

  it('end when the caller aborts', async () => {
    const { retry, stop } = createTest([100_000])
    const waiting = retry(failing(1))
    stop.abort()
    await expect(waiting).rejects.toThrow()
  })

  it('list the columns of a world once each when the listing is cut off between rows', async () => {
    const chunks = createMemoryChunkStore()
    const bytes = Buffer.from('column')
    const records = [-3, 0, 1, 7].flatMap((cx) => [2, 5].map((cz) => ({ cx, cz, bytes })))
    await chunks.putMany(world, records, 1)
    let rows = 0
    const place: SourcePlace = {
      kind: 'embedded',
      label: 'a place',
      identity: 'a place',
      store: createMemoryStore(),
      chunks: {
        ...chunks,
        discovered: async function* (ref, box) {
          for await (const row of chunks.discovered(ref, box)) {
            rows += 1
            if (rows % 2 === 0) throw throttled()
            yield row
          }
        },
      },
      accounts: { listAccounts: async () => ({ accounts: [] }) },
      configs: { findInForce: async () => undefined, listEarlier: async () => [], findEarlier: async () => undefined },
      holdWorld: async () => true,
      close: async () => undefined,
    }
    const { retry } = createTest([1])
    const listedRows: number[][] = []
    for await (const { cx, czs } of readWithRetries(place, retry).chunks.discovered(world)) listedRows.push([cx, ...czs])
    expect(listedRows).toEqual([-3, 0, 1, 7].map((cx) => [cx, 2, 5]))
    expect(rows).toBeGreaterThan(4)
  })
})
