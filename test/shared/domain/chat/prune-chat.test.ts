import { describe, expect, it } from '@jest/globals'
import { retentionMs } from '../../../../shared/domain/accounts/deleted-accounts.ts'
import { batchId, chatBatches, slotOf } from '../../../../shared/domain/chat/chat-batch.ts'
import { pruneChat } from '../../../../shared/domain/chat/prune-chat.ts'
import { ServerConfig } from '../../../../shared/domain/configs/server/server-config.ts'
import { createTurns } from '../../../../shared/kernel/turns.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const open = () => {
  const clock = createFixedClock()
  const store = createMemoryStore()
  const limits = { keepDays: 7, maxMiB: 1 }
  let count = 0
  const add = (bytes = 10) => {
    count += 1
    const line = { ms: 0, channel: 'global', from: 'Ada', text: 'x'.repeat(bytes) }
    return store.put(chatBatches, batchId(slotOf(clock.now()), 'node', count), { world: 'one', lines: [line] })
  }
  const prune = (over: Partial<Store> = {}, isOver = () => false) =>
    pruneChat({ store: { ...store, ...over }, clock, turns: createTurns(), limits: () => limits, isOver })
  const left = async () => (await store.list(chatBatches, { limit: 1000 })).records.length
  return { clock, store, limits, add, prune, left }
}

describe('the retention of the chat log', () => {
  it('deletes batches that are older than the limit', async () => {
    const { clock, add, prune, left } = open()
    for (let day = 0; day < 10; day += 1) {
      for (let n = 0; n < 25; n += 1) await add()
      clock.advance(dayMs)
    }
    expect(await prune()).toBe(3 * 25)
    expect(await left()).toBe(7 * 25)
    expect(await prune()).toBe(0)
  })

  it('deletes everything if the log is off', async () => {
    const { clock, limits, add, prune, left } = open()
    await add()
    clock.advance(5_000)
    limits.keepDays = 0
    await prune()
    expect(await left()).toBe(0)
  })

  it('deletes the oldest hours while the log is too large, and never the last hour', async () => {
    const { clock, add, prune, left } = open()
    for (let hour = 0; hour < 4; hour += 1) {
      for (let n = 0; n < 10; n += 1) await add(40_000)
      clock.advance(hourMs)
    }
    for (let n = 0; n < 30; n += 1) await add(40_000)
    clock.advance(1_000)
    // 1 MiB has room for two of the old hours.
    expect(await prune()).toBe(20)
    expect(await left()).toBe(50)
    expect(await prune()).toBe(0)
  })

  it('finishes a deletion that was killed', async () => {
    const { clock, add, prune, left } = open()
    for (let n = 0; n < 40; n += 1) await add(40_000)
    clock.advance(2 * hourMs)
    const killed = async () => {
      throw new Error('killed')
    }
    await expect(prune({ delete: killed })).rejects.toThrow('killed')
    expect(await left()).toBe(40)
    expect(await prune()).toBe(40)
  })

  it('is over before the data of a deleted account is erased', () => {
    const { maximum = Number.POSITIVE_INFINITY } = ServerConfig.properties.chat.properties.keepDays
    expect(maximum * dayMs).toBeLessThanOrEqual(retentionMs)
  })
})
