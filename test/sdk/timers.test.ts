import { afterEach, expect, it, jest } from '@jest/globals'
import { systemTimers } from '../../sdk/timers.ts'

afterEach(() => {
  jest.useRealTimers()
})

it.each(['after', 'background'] as const)('never fires early, however long the delay: %s', (kind) => {
  jest.useFakeTimers()
  const timers = jest.spyOn(globalThis, 'setTimeout')
  const stop = systemTimers[kind](4_294_967_295_000, () => undefined)
  expect(timers.mock.calls[0]?.[1]).toBe(2 ** 31 - 1)
  stop()
  timers.mockRestore()
})
