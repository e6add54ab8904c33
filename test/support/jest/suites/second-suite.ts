import { expect, it } from '@jest/globals'
import { systemIds } from '../../../../shared/kernel/ids.ts'

it('has asserted nothing yet', () => expect.hasAssertions())

it('finds no state of the suite before, except tested modules', () => {
  expect(process.env.LEFT_BY_A_SUITE).toBeUndefined()
  expect(globalThis).not.toHaveProperty('leftByASuite')
  expect(String(setInterval)).not.toBe('() => 0')
  expect(Date.now()).toBeGreaterThan(1e12)
  expect([Math.random(), Math.random()]).not.toEqual([0.5, 0.5])
  expect(expect([])).not.toHaveProperty('toBeLeft')
  expect(systemIds).toHaveProperty('isMarked')
})
