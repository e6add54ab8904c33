import { describe, expect, it } from '@jest/globals'
import { createMoveBudget, findMoveRefusal, payForMove, refillMoveBudget } from '../../../../shared/rules/movement/move-budget.ts'

const at = (x: number, y = 64) => ({ x, y, z: 0.5, yaw: 0, pitch: 0 })

describe('the budget of moves', () => {
  it('is not spent by a check, so that a step refused for another reason costs nothing', () => {
    const budget = createMoveBudget(0)
    for (let i = 0; i < 10; i += 1) expect(findMoveRefusal(budget, at(0), at(11, 104))).toBeUndefined()
    expect(budget).toEqual(createMoveBudget(0))
  })

  it('covers 11 blocks across and 40 up at once, and refills with time', () => {
    const budget = createMoveBudget(0)
    payForMove(budget, at(0), at(11, 104))
    expect(findMoveRefusal(budget, at(0), at(0.5))).toBe('too-fast')
    expect(findMoveRefusal(budget, at(0), at(0, 64.5))).toBe('too-fast')
    refillMoveBudget(budget, 100)
    expect(findMoveRefusal(budget, at(0), at(2.2, 72))).toBeUndefined()
    expect(findMoveRefusal(budget, at(0), at(2.3))).toBe('too-fast')
    expect(findMoveRefusal(budget, at(0), at(0, 72.1))).toBe('too-fast')
  })

  it('is not reduced when the clock is set back, and refills from then on', () => {
    const budget = createMoveBudget(60_000)
    refillMoveBudget(budget, 0)
    expect(findMoveRefusal(budget, at(0), at(11, 104))).toBeUndefined()
    payForMove(budget, at(0), at(11, 104))
    refillMoveBudget(budget, 100)
    expect(findMoveRefusal(budget, at(0), at(2.2, 72))).toBeUndefined()
  })
})
