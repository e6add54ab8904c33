import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { actions, defaultSettings, nameOfKey, parseSettings } from '../../../play/state/settings.ts'

it('accepts any stored value, and returns valid settings', () => {
  fc.assert(
    fc.property(fc.anything(), (stored) => {
      const { framesMax, viewRadius, sensitivity, fieldOfView, volume, keys, hotbar } = parseSettings(stored)
      expect(viewRadius >= 2 && viewRadius <= 16 && Number.isInteger(viewRadius)).toBe(true)
      expect(sensitivity >= 0.1 && sensitivity <= 4).toBe(true)
      expect(fieldOfView >= 50 && fieldOfView <= 110).toBe(true)
      expect(volume >= 0 && volume <= 1).toBe(true)
      expect(Object.keys(keys).sort()).toEqual([...actions].sort())
      expect(framesMax === 0 || (framesMax >= 8 && framesMax <= 240 && Number.isInteger(framesMax))).toBe(true)
      expect(hotbar).toHaveLength(9)
    }),
  )
})

it('keeps valid values, and takes the rest from the defaults', () => {
  const keys = { ...defaultSettings.keys, jump: 'KeyJ' }
  const kept = parseSettings({
    viewRadius: 4,
    sensitivity: 'fast',
    fieldOfView: Number.NaN,
    keys,
    invert: true,
    hotbar: ['stone'],
  })
  expect(kept).toEqual({ ...defaultSettings, viewRadius: 4, keys, invert: true })
  expect(parseSettings(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
})

it.each(['AltLeft', 'MetaRight', 'ControlLeft'])('does not accept %s as a key', (run) => {
  expect(parseSettings({ keys: { ...defaultSettings.keys, run } }).keys).toEqual(defaultSettings.keys)
})

it('names keys as they are written, all different', () => {
  const codes = ['KeyW', 'Digit1', 'ShiftLeft', 'Slash', 'ArrowLeft', 'ArrowRight', 'BracketLeft', 'BracketRight', 'Space', 'F3']
  expect(codes.map(nameOfKey)).toEqual(['W', '1', 'Shift', '/', '←', '→', '[', ']', 'Space', 'F3'])
})

it('moves keys of an older version away from Ctrl, which closes the tab with W', () => {
  const { keys } = parseSettings({ keys: { ...defaultSettings.keys, jump: 'KeyJ', down: 'ShiftLeft', run: 'ControlLeft' } })
  expect(keys).toEqual({ ...defaultSettings.keys, jump: 'KeyJ', down: 'KeyC', run: 'ShiftLeft' })
  const own = { ...defaultSettings.keys, down: 'ShiftLeft', run: 'KeyR' }
  expect(parseSettings({ keys: own }).keys).toEqual(own)
})
it.each([
  { blocks: 'ShiftLeft', run: 'ControlLeft' },
  { inspect: 'KeyC', down: 'ShiftLeft', run: 'ControlLeft' },
  { jump: 'KeyW', fly: 'KeyW', chat: 'KeyW' },
])('assigns no key to two actions: %j', (stored) => {
  const { keys } = parseSettings({ keys: { ...defaultSettings.keys, ...stored } })
  expect(new Set(Object.values(keys)).size).toBe(Object.keys(keys).length)
})
