import { beforeEach, describe, expect, it } from '@jest/globals'
import { createBatchWriter } from '../../../shared/kernel/background-writes.ts'

describe('a batch writer', () => {
  let batches: string[][]
  let failing: Set<string>
  let notes: string[]
  let during: () => void
  let writer: ReturnType<typeof createBatchWriter<string, string>>

  beforeEach(() => {
    batches = []
    failing = new Set()
    notes = []
    during = () => {}
    writer = createBatchWriter({
      batchMax: 2,
      flushedAtOnce: 2,
      retryAfterMs: 100,
      write: async (batch) => {
        during()
        if (batch.some(([key]) => failing.has(key))) throw new Error('away')
        batches.push(batch.map(([key, value]) => key + value))
        return batch.length
      },
      failed: (error) => notes.push(String(error)),
      recovered: () => notes.push('recovered'),
    })
    for (const key of ['a', 'b', 'c']) writer.set(key, '1')
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  it('writes one batch a step, and the last value of each key', async () => {
    writer.set('a', '2')
    writer.step(0)
    writer.step(1)
    expect(batches).toEqual([['a2', 'b1']])
    expect([writer.size(), writer.get('a'), writer.get('c')]).toEqual([3, '2', '1'])
    await settle()
    expect([writer.size(), writer.get('a')]).toEqual([1, undefined])
  })

  it('flushes everything, with several batches at a time', async () => {
    for (const key of ['d', 'e']) writer.set(key, '1')
    expect(await writer.flush()).toBe(5)
    expect(batches).toEqual([['a1', 'b1'], ['c1', 'd1'], ['e1']])
    expect(writer.size()).toBe(0)
  })

  it('writes a failed batch again after the pause, and reports the outage once', async () => {
    failing.add('a')
    for (const nowMs of [0, 99, 100]) {
      writer.step(nowMs)
      await settle()
    }
    expect([writer.size(), notes]).toEqual([3, ['Error: away']])
    failing.clear()
    writer.step(199)
    expect(batches).toEqual([])
    writer.step(200)
    expect(batches).toEqual([['b1', 'c1']])
    await settle()
    expect(notes).toEqual(['Error: away', 'recovered'])
  })

  it('keeps only the failed batch of a flush, and a newer value wins', async () => {
    failing.add('c')
    during = () => writer.set('c', '2')
    await expect(writer.flush()).rejects.toThrow('away')
    expect([batches, writer.size(), writer.get('c')]).toEqual([[['a1', 'b1']], 1, '2'])
    failing.clear()
    during = () => {}
    expect(await writer.flush()).toBe(1)
    expect(batches.at(-1)).toEqual(['c2'])
  })
})
