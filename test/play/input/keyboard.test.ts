import { expect, it } from '@jest/globals'
import { createDoublePress } from '../../../play/input/double-press.ts'

it('holds from the second of two quick presses until the key is released', () => {
  const keys = createDoublePress()
  keys.press(1_000)
  expect(keys.isHeld()).toBe(false)
  keys.lift()
  keys.press(1_200)
  expect(keys.isHeld()).toBe(true)
  keys.lift()
  expect(keys.isHeld()).toBe(false)
})

it('does not hold after two slow presses', () => {
  const keys = createDoublePress()
  keys.press(1_000)
  keys.lift()
  keys.press(1_400)
  expect(keys.isHeld()).toBe(false)
})
