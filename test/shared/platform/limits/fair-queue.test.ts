import { expect, it } from '@jest/globals'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { createFairQueue } from '../../../../shared/platform/limits/fair-queue.ts'

/** Work that ends when the test ends it. */
const createWork = () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  return { begun, work, endOne: () => ends.shift()?.() }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('serves each caller in turn, however many calls another one queued before', async () => {
  const queue = createFairQueue({ slots: 1, waitingMax: 10_000 })
  const { begun, work, endOne } = createWork()
  for (let at = 0; at < 10_000; at += 1) void queue.run('greedy', work(`g${at}`))
  void queue.run('ann', work('ann'))
  void queue.run('ben', work('ben'))
  for (let turn = 0; turn < 5; turn += 1) {
    endOne()
    await settle()
  }
  expect(begun).toEqual(['g0', 'g1', 'ann', 'ben', 'g2'])
})

it('refuses only a caller with too many queued calls', async () => {
  const queue = createFairQueue({ slots: 1, waitingMax: 1 })
  const { begun, work, endOne } = createWork()
  void queue.run('ann', work('one'))
  void queue.run('ann', work('two'))
  await expect(queue.run('ann', work('three'))).rejects.toMatchObject({ kind: 'unavailable' })
  void queue.run('ben', work('four'))
  endOne()
  await settle()
  endOne()
  await settle()
  expect(begun).toEqual(['one', 'two', 'four'])
})

it('evicts a call of the caller with the most when it is full, and refuses when each has one', async () => {
  const queue = createFairQueue({
    slots: 1,
    waitingMax: 10,
    waitingMaxOfAll: 3,
    refusal: () => new AppError('unavailable', 'hashing-busy', 'x'),
  })
  const { begun, work, endOne } = createWork()
  void queue.run('ann', work('a0'))
  void queue.run('ann', work('a1'))
  const newer = queue.run('ann', work('a2'))
  const evicted = queue.run('ann', work('a3'))
  void queue.run('ben', work('b1'))
  await expect(evicted).rejects.toMatchObject({ slug: 'hashing-busy' })
  const second = queue.run('ann', work('a2'))
  await expect(second).rejects.toMatchObject({ slug: 'hashing-busy' })
  void queue.run('eve', work('e1'))
  await expect(newer).rejects.toMatchObject({ slug: 'hashing-busy' })
  await expect(queue.run('flo', work('f1'))).rejects.toMatchObject({ slug: 'hashing-busy' })
  for (let turn = 0; turn < 4; turn += 1) {
    endOne()
    await settle()
  }
  expect(begun).toEqual(['a0', 'a1', 'b1', 'e1'])
})

it('prefers rare callers over frequent ones, when it remembers turns', async () => {
  const queue = createFairQueue({ slots: 1, waitingMax: 100, turnsRemembered: 100 })
  const { begun, work, endOne } = createWork()
  for (const flooder of ['a', 'b', 'c', 'd']) for (let at = 0; at < 20; at += 1) void queue.run(flooder, work(flooder))
  const step = async () => {
    endOne()
    await settle()
  }
  for (let turn = 0; turn < 12; turn += 1) await step()
  for (let turn = 0; turn < 3; turn += 1) {
    void queue.run('ann', work('ann'))
    await step()
    expect(begun.at(-1)).toBe('ann')
  }
  // After as many turns as the others, the caller waits like them.
  for (let at = 0; at < 20; at += 1) void queue.run('ann', work('ann'))
  const before = begun.length
  for (let turn = 0; turn < 40; turn += 1) await step()
  const shares = ['a', 'b', 'c', 'd', 'ann'].map((one) => begun.slice(before).filter((name) => name === one).length)
  for (const share of shares) expect(Math.abs(share - 8)).toBeLessThanOrEqual(2)
})

it('drops calls that are aborted while they wait, and continues after failed work', async () => {
  const queue = createFairQueue({ slots: 1, waitingMax: 10 })
  const { begun, work, endOne } = createWork()
  const gone = new AbortController()
  const failing = queue.run('ann', async () => Promise.reject(new Error('broken')))
  const waiting = queue.run('ann', work('gone'), gone.signal)
  const after = queue.run('ben', work('after'))
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(failing).rejects.toThrow('broken')
  await settle()
  endOne()
  expect(await after).toBe('after')
  expect(begun).toEqual(['after'])
})

it('keeps no state of callers that left, however many', async () => {
  const queue = createFairQueue({ slots: 1, waitingMax: 1 })
  let end = (): void => undefined
  const first = queue.run(
    'first',
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const leaving = new AbortController()
  const left = Array.from({ length: 5_000 }, (_, i) => queue.run(`${i}`, async () => i, leaving.signal).catch(() => 'left'))
  const last = queue.run('last', async () => 'done')
  leaving.abort(new Error('gone'))
  expect(new Set(await Promise.all(left))).toEqual(new Set(['left']))
  end()
  await first
  expect(await last).toBe('done')
})
