import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { startTimeLimit } from '../../../shared/kernel/time-limit.ts'

describe('a time limit', () => {
  it('ends after its time, and not before', async () => {
    const startedMs = performance.now()
    await new Promise<void>((resolve) => startTimeLimit(120, resolve))
    expect(performance.now() - startedMs).toBeGreaterThan(115)
  })

  it('does not end once it is cancelled, also in a later step', async () => {
    let ended = 0
    const cancel = startTimeLimit(400, () => {
      ended += 1
    })
    await new Promise<void>((resolve) => startTimeLimit(100, resolve))
    cancel()
    await new Promise<void>((resolve) => startTimeLimit(500, resolve))
    expect(ended).toBe(0)
  })

  it('ends after data that arrived while the event loop was blocked for longer', async () => {
    const order: string[] = []
    const read = readFile(import.meta.filename).then(() => order.push('data'))
    const limit = new Promise<void>((resolve) => startTimeLimit(1500, resolve)).then(() => order.push('limit'))
    // Blocks the event loop without using the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
    await Promise.all([read, limit])
    expect(order).toEqual(['data', 'limit'])
  })
})
