import { expect, it } from '@jest/globals'
import { type LayoutKeyboard, readKeyNames } from '../../../play/input/layout-names.ts'

const keyboardOf = (signs: Readonly<Record<string, string>>): LayoutKeyboard => ({
  getLayoutMap: async () => new Map(Object.entries(signs)),
})

it('names keys as the player’s own layout does', async () => {
  const nameOf = await readKeyNames(keyboardOf({ KeyW: 'z', KeyA: 'q', KeyS: 's', Slash: '!', Minus: 'ß', Digit1: '&' }))
  const codes = ['KeyW', 'KeyA', 'KeyS', 'Slash', 'Minus', 'Digit1']
  expect(codes.map(nameOf)).toEqual(['Z', 'Q', 'S', '!', 'ß', '&'])
})

it('names keys that are in no layout by their codes', async () => {
  const nameOf = await readKeyNames(keyboardOf({ KeyW: 'z', KeyX: ' ' }))
  expect(['ShiftLeft', 'Space', 'ArrowUp', 'F3', 'KeyX'].map(nameOf)).toEqual(['Shift', 'Space', '↑', 'F3', 'X'])
})

it('names keys by their codes when the layout is unavailable', async () => {
  const refusing = { getLayoutMap: () => Promise.reject(new DOMException('not here', 'SecurityError')) }
  for (const keyboard of [undefined, refusing]) {
    const nameOf = await readKeyNames(keyboard)
    expect(['KeyW', 'Slash'].map(nameOf)).toEqual(['W', '/'])
  }
})
