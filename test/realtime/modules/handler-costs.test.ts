import { describe, expect, it } from '@jest/globals'
import { createHandlerCosts } from '../../../realtime/modules/handler-costs.ts'

describe('the costs of handlers', () => {
  it('lists the five handlers with the most time, the slowest first', () => {
    const costs = createHandlerCosts()
    for (let handler = 1; handler <= 7; handler += 1) costs.add(`commands.c${handler}`, handler, 0)
    costs.add('commands.c1', 30, 10)
    const slowest = costs.slowest(20)
    expect(slowest.map(({ handler }) => handler)).toEqual([1, 7, 6, 5, 4].map((number) => `commands.c${number}`))
    expect(slowest[0]).toEqual({ handler: 'commands.c1', calls: 2, msPerCall: 15.5, longestMs: 30 })
  })

  it('keeps calls of the last 30 seconds, and drops them after a minute', () => {
    const costs = createHandlerCosts()
    costs.add('on.tick', 8, 0)
    costs.add('on.tick', 4, 31_000)
    expect(costs.slowest(32_000)).toEqual([{ handler: 'on.tick', calls: 2, msPerCall: 6, longestMs: 8 }])
    expect(costs.slowest(62_000)).toEqual([{ handler: 'on.tick', calls: 1, msPerCall: 4, longestMs: 4 }])
    expect(costs.slowest(125_000)).toEqual([])
  })
})
