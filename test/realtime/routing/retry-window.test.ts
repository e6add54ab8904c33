import { expect, it } from '@jest/globals'
import { createRetryWindow } from '../../../realtime/routing/retry-window.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'

const away = new Error('away')
const forEver = 1e9
const create = (retryWindowMs: number) =>
  createRetryWindow({ clock: systemClock, retryWindowMs, mayPass: (error) => error === away })
const client = () => ({ destroyed: false })

/** An attempt that fails with `error`, and the number of attempts. */
const failing = (error: unknown) => {
  const made = { times: 0 }
  const attempt = (): Promise<void> => {
    made.times += 1
    return Promise.reject(error)
  }
  return { made, attempt }
}

it('lets 100 requests wait at the same time, and refuses more at once', async () => {
  const retryWindow = create(forEver)
  const waiting = Array.from({ length: 100 }, () => failing(away))
  const all = Promise.allSettled(waiting.map(({ attempt }) => retryWindow.keepTrying(client(), attempt)))
  const oneMore = failing(away)
  await expect(retryWindow.keepTrying(client(), oneMore.attempt)).rejects.toBe(away)
  expect(oneMore.made.times).toBe(1)
  retryWindow.end()
  const outcomes = await all
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(waiting.map(({ made }) => made.times)).toEqual(waiting.map(() => 2))
})

it.each([
  ['for a permanent fault', forEver, new Error('never')],
  ['without a retry window', 0, away],
])('tries once %s', async (_when, retryWindowMs, error) => {
  const { attempt, made } = failing(error)
  await expect(create(retryWindowMs).keepTrying(client(), attempt)).rejects.toBe(error)
  expect(made.times).toBe(1)
})

it('gives up for a client that has gone', async () => {
  const gone = client()
  const { made, attempt } = failing(away)
  const tried = create(forEver).keepTrying(gone, attempt)
  gone.destroyed = true
  await expect(tried).rejects.toBe(away)
  expect(made.times).toBe(1)
})
