import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { createTurns } from '../../../shared/kernel/turns.ts'

describe('turns', () => {
  it('are given to one caller per turn of the event loop, in order', async () => {
    const turns = createTurns()
    const taken: string[] = []
    const work = async (name: string): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) {
        await turns.next()
        taken.push(name)
      }
    }
    const all = Promise.all([work('a'), work('b'), work('c')])
    const perTurn: number[] = []
    for (let before = 0; taken.length < 9; before = taken.length) {
      await setImmediate()
      perTurn.push(taken.length - before)
    }
    await all
    expect(Math.max(...perTurn)).toBe(1)
    expect(taken.join('')).toBe('abcabcabc')
  })

  it('continue after a pause without callers', async () => {
    const turns = createTurns()
    await turns.next()
    await setImmediate()
    await expect(turns.next()).resolves.toBeUndefined()
  })
})
