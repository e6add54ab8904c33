import { afterEach, describe, expect, it } from '@jest/globals'
import {
  createThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
  whenThreadsStarted,
} from '../../../shared/kernel/thread-pool.ts'
import { itWhere } from '../../support/needs/guard.ts'
import { readNice } from '../../support/processes/read-nice.ts'

const itOnLinux = itWhere({
  reason: 'needs Linux, with a priority for each thread',
  isMet: process.platform === 'linux',
  isOptional: true,
})

const opened: ThreadPool<number>[] = []
const open = (options: Partial<ThreadPoolOptions> = {}) => {
  const loads = new Int32Array(new SharedArrayBuffer(4))
  const module = new URL('../../support/processes/slow-worker.js', import.meta.url)
  const pool = createThreadPool<number>({
    module,
    name: 'double',
    maxThreads: 2,
    workerData: { loads },
    idleMs: 10_000,
    ...options,
  })
  opened.push(pool)
  return { pool, loads: () => Atomics.load(loads, 0) }
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
})

describe('createThreadPool', () => {
  it('returns the results of jobs, and throws their errors', async () => {
    const { pool } = open()
    expect(await Promise.all([pool.run(1), pool.run(2), pool.run(3)])).toEqual([2, 4, 6])
    await expect(pool.run(-1)).rejects.toThrow('a job that fails')
  })

  itOnLinux('runs jobs at a lower priority than the calling thread', async () => {
    const { pool } = open({ minThreads: 2 })
    const own = readNice()
    // Threads of a process with the lowest priority cannot have a lower one.
    const lower = Math.min(own + 10, 19)
    expect(await Promise.all([pool.run(0, { name: 'readNice' }), pool.run(0, { name: 'readNice' })])).toEqual([lower, lower])
    expect(readNice()).toBe(own)
  })

  it('stops no thread that is loading its modules', async () => {
    const { pool, loads } = open({ minThreads: 2 })
    await pool.close()
    expect(loads()).toBe(2)
  })

  it('stops no thread that a job has started', async () => {
    const { pool, loads } = open()
    const settled = Promise.allSettled([pool.run(4)])
    await pool.close()
    expect(loads()).toBe(1)
    await settled
  })

  it('includes the thread that replaces a dead one', async () => {
    const { pool, loads } = open({ minThreads: 1, maxThreads: 1 })
    await expect(pool.run(0, { name: 'end' })).rejects.toThrow('exited with code: 3')
    await pool.close()
    expect(loads()).toBe(2)
  })

  it('does not wait for a thread that cannot load', async () => {
    const { pool } = open({ module: new URL('../../support/no-such-worker.ts', import.meta.url), minThreads: 1 })
    await expect(pool.run(1)).rejects.toThrow('no-such-worker')
    await whenThreadsStarted()
  })

  it('notifies a process that is about to end when all threads have started', async () => {
    const { loads } = open({ minThreads: 2 })
    const other = open({ minThreads: 1 })
    await whenThreadsStarted()
    expect([loads(), other.loads()]).toEqual([2, 1])
  })
})
