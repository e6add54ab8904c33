import { expect, it } from '@jest/globals'
import { createPatience } from '../../../realtime/routing/patience.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'

const away = new Error('away')
const forEver = 1e9
const create = (patienceMs: number) => createPatience({ clock: systemClock, patienceMs, mayPass: (error) => error === away })
const client = () => ({ destroyed: false })

/** An attempt that fails with `error`, and how often it was made. */
const failing = (error: unknown) => {
  const made = { times: 0 }
  const attempt = (): Promise<void> => {
    made.times += 1
    return Promise.reject(error)
  }
  return { made, attempt }
}

it('lets 100 wait at the same time, and refuses more at once', async () => {
  const patience = create(forEver)
  const waiting = Array.from({ length: 100 }, () => failing(away))
  const all = Promise.allSettled(waiting.map(({ attempt }) => patience.keepTrying(client(), attempt)))
  const oneMore = failing(away)
  await expect(patience.keepTrying(client(), oneMore.attempt)).rejects.toBe(away)
  expect(oneMore.made.times).toBe(1)
  patience.end()
  const outcomes = await all
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(waiting.map(({ made }) => made.times)).toEqual(waiting.map(() => 2))
})

it.each([
  ['for what will not pass', forEver, new Error('never')],
  ['where there is no time', 0, away],
])('tries once %s', async (_when, patienceMs, error) => {
  const { attempt, made } = failing(error)
  await expect(create(patienceMs).keepTrying(client(), attempt)).rejects.toBe(error)
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
