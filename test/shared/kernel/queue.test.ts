import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createKeyedQueue, createQueue, createSerialQueue, createSharedRuns } from '../../../shared/kernel/queue.ts'

describe('a queue', () => {
  it('begins nothing before earlier work has ended, even with an error', async () => {
    const inTurn = createQueue()
    const seen: string[] = []
    const step = (name: string, fail = false) =>
      inTurn(async () => {
        seen.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(`${name} ends`)
        if (fail) throw new Error(name)
        return name
      })
    const results = await Promise.allSettled([step('one'), step('two', true), step('three')])
    expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
    expect(results).toMatchObject([{ value: 'one' }, { reason: { message: 'two' } }, { value: 'three' }])
  })

  it('fails work that waited behind an outage, each at once, and tries later work', async () => {
    const inTurn = createQueue()
    const away = new AppError('unavailable', 'service-unavailable', 'Gone.')
    let tries = 0
    const ask = () =>
      inTurn(async () => {
        tries += 1
        if (tries === 1) throw away
        return tries
      })
    const [first, second, third] = [ask(), ask(), ask()]
    await expect(first).rejects.toBe(away)
    const later = ask()
    await expect(second).rejects.toBe(away)
    await expect(third).rejects.toBe(away)
    expect(await later).toBe(2)
    expect(await ask()).toBe(3)
  })
})

const pause = () => new Promise((resolve) => setImmediate(resolve))

describe('a serial queue', () => {
  it('runs work that waited behind an outage', async () => {
    const inTurn = createSerialQueue()
    const failing = inTurn(() => Promise.reject(new AppError('unavailable', 'service-unavailable', 'Gone.')))
    const next = inTurn(async () => 'fine')
    await expect(failing).rejects.toThrow('Gone.')
    expect(await next).toBe('fine')
  })
})

describe('shared runs', () => {
  it('share the next run between all callers that arrive during a run', async () => {
    let runs = 0
    const run = createSharedRuns(async () => {
      runs += 1
      await pause()
      return runs
    })
    const first = run()
    await Promise.resolve()
    await Promise.resolve()
    expect(await Promise.all([first, run(), run()])).toEqual([1, 2, 2])
    expect(await run()).toBe(3)
  })

  it('run again after a failed run', async () => {
    let runs = 0
    const run = createSharedRuns(async () => {
      runs += 1
      if (runs === 1) throw new Error('once')
      return runs
    })
    await expect(run()).rejects.toThrow('once')
    expect(await run()).toBe(2)
  })
})

describe('a keyed queue', () => {
  it('runs work of one key in order, and beside that of another', async () => {
    const inTurn = createKeyedQueue()
    const steps: string[] = []
    const run = (name: string) => async () => {
      steps.push(`${name} begins`)
      await pause()
      steps.push(`${name} ends`)
      return name
    }
    const answers = [inTurn('key', run('first')), inTurn('key', run('second')), inTurn('other', run('third'))]
    expect(await Promise.all(answers)).toEqual(['first', 'second', 'third'])
    const ofKey = steps.filter((step) => !step.startsWith('third'))
    expect(ofKey).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
    expect(steps.indexOf('third begins')).toBeLessThan(steps.indexOf('first ends'))
  })

  it('continues after failed work, whose error reaches only its caller', async () => {
    const inTurn = createKeyedQueue()
    const failing = inTurn('key', () => Promise.reject(new Error('mine')))
    const next = inTurn('key', async () => 'fine')
    await expect(failing).rejects.toThrow('mine')
    expect(await next).toBe('fine')
    expect(await inTurn('key', async () => 'later')).toBe('later')
  })
})
