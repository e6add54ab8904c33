import { describe, expect, it } from '@jest/globals'
import { createKeyedQueue } from '../../../shared/kernel/keyed-queue.ts'

const pause = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('run one after another under one key, in the order of asking, and beside those of another', async () => {
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

  it('go on after one that fails, whose fault reaches its asker alone', async () => {
    const inTurn = createKeyedQueue()
    const failing = inTurn('key', () => Promise.reject(new Error('mine')))
    const next = inTurn('key', async () => 'fine')
    await expect(failing).rejects.toThrow('mine')
    expect(await next).toBe('fine')
    expect(await inTurn('key', async () => 'later')).toBe('later')
  })
})
