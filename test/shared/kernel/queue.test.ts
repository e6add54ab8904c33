import { describe, expect, it } from '@jest/globals'
import { createQueue } from '../../../shared/kernel/queue.ts'

describe('a queue', () => {
  it('begins nothing before what was given earlier has ended, however it ended', async () => {
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
})
