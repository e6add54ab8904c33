import { afterAll, expect, it, jest } from '@jest/globals'
import { systemIds } from '../../../../shared/kernel/ids.ts'

/** Leaves every kind of state behind, and fails in each way that a test can. Run by `shared-context.test.ts` only. */
const soon = (act: () => void): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(act, 1)
    setTimeout(resolve, 30)
  })

it('passes, and leaves things behind', () => {
  process.env.LEFT_BY_A_SUITE = 'yes'
  Object.assign(globalThis, { leftByASuite: true, setInterval: () => 0 })
  Object.defineProperty(globalThis, 'fixedByASuite', { value: true })
  Object.assign(systemIds, { isMarked: true })
  jest.spyOn(Math, 'random').mockReturnValue(0.5)
  jest.useFakeTimers({ now: 0 })
  expect(Date.now()).toBe(0)
  jest.useRealTimers()
  expect.extend({ toBeLeft: () => ({ pass: true, message: () => '' }) })
})

it('cannot replace a module', () => {
  expect(() => jest.setMock('node:path', {})).toThrow('suites share them')
})

it('fails', () => expect(1).toBe(2))

it('leaves a rejecting promise', () => soon(() => void Promise.reject(new Error('a promise was left'))))

it('throws outside of a test', () =>
  soon(() => {
    throw new Error('thrown from a timer')
  }))

it('asserts less than it said', () => expect.assertions(1))

it('leaves fake timers', () => {
  jest.useFakeTimers({ now: 0 })
})

afterAll(() => expect(1).toBe(1))
