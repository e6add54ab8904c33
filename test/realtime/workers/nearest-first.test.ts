import { describe, expect, it } from '@jest/globals'
import { createNearestFirst } from '../../../realtime/workers/nearest-first.ts'

const never = new AbortController().signal
const at = (distance: number, signal = never) => ({ distance: () => distance, signal })

/** Jobs that end on request. */
const createJobs = () => {
  const begun: { job: string; end: (error?: Error) => void }[] = []
  const run = (job: string) =>
    new Promise<string>((resolve, reject) => {
      begun.push({ job, end: (error) => (error === undefined ? resolve(`${job} done`) : reject(error)) })
    })
  return { begun, run, names: () => begun.map(({ job }) => job) }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('createNearestFirst', () => {
  it('starts at most as many jobs as there are slots, the nearest first', async () => {
    const { begun, run, names } = createJobs()
    const jobs = createNearestFirst({ run, slots: 2 })
    const results = [4, 3, 2, 1].map((distance) => jobs.submit(`job ${distance}`, at(distance)))
    await turn()
    expect(names()).toEqual(['job 1', 'job 2'])
    begun[1]?.end()
    await turn()
    expect(names()).toEqual(['job 1', 'job 2', 'job 3'])
    for (const { end } of begun) end()
    await turn()
    begun[3]?.end()
    expect(await Promise.all(results)).toEqual(['job 4 done', 'job 3 done', 'job 2 done', 'job 1 done'])
  })

  it('rejects an aborted job at once, and neither starts nor retries it', async () => {
    const { begun, run, names } = createJobs()
    const jobs = createNearestFirst({ run, slots: 1 })
    const controllers = [new AbortController(), new AbortController()]
    const results = controllers.map(({ signal }, distance) => jobs.submit(`job ${distance}`, at(distance, signal)))
    await turn()
    for (const controller of controllers) controller.abort()
    for (const result of results) await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    begun[0]?.end(new Error('it failed'))
    await turn()
    expect(names()).toEqual(['job 0'])
    await expect(jobs.submit('late', at(0, AbortSignal.abort()))).rejects.toMatchObject({ name: 'AbortError' })
    await turn()
    expect(names()).toEqual(['job 0'])
    const last = jobs.submit('last', at(0))
    await turn()
    begun[1]?.end()
    expect(await last).toBe('last done')
  })

  it('retries a failed job once, and rejects with the second error', async () => {
    const { begun, run, names } = createJobs()
    const jobs = createNearestFirst({ run, slots: 1 })
    const results = [jobs.submit('a', at(1)), jobs.submit('b', at(2))]
    await turn()
    begun[0]?.end(new Error('once'))
    await turn()
    begun[1]?.end(new Error('twice'))
    await expect(results[0]).rejects.toThrow('twice')
    await turn()
    begun[2]?.end(new Error('once'))
    await turn()
    begun[3]?.end()
    expect(await results[1]).toBe('b done')
    expect(names()).toEqual(['a', 'a', 'b', 'b'])
  })

  it('rejects waiting and running jobs on close, and all later ones', async () => {
    const { begun, run, names } = createJobs()
    const jobs = createNearestFirst({ run, slots: 1 })
    const results = [jobs.submit('a', at(1)), jobs.submit('b', at(2))]
    await turn()
    const closing = jobs.close()
    for (const result of results) await expect(result).rejects.toMatchObject({ kind: 'unavailable' })
    begun[0]?.end()
    await closing
    await expect(jobs.submit('c', at(1))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(names()).toEqual(['a'])
  })
})
