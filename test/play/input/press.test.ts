import { expect, it } from '@jest/globals'
import type { TargetedTouchEvent } from 'preact'
import { press } from '../../../play/input/press.ts'

const createButton = () => {
  const done: string[] = []
  const button = press(() => done.push('pressed'))
  /** Releases a finger there; the button is 40 pixels wide. */
  const lift = (x: number): void => {
    const currentTarget = { getBoundingClientRect: () => ({ left: 100, right: 140, top: 0, bottom: 40 }) }
    const preventDefault = (): unknown => done.push('no click')
    const event = { changedTouches: [{ clientX: x, clientY: 20 }], currentTarget, preventDefault }
    button.onTouchEnd(event as unknown as TargetedTouchEvent<HTMLElement>)
  }
  return { done, button, lift }
}

it('is pressed once by any finger, without a click afterwards', () => {
  const { done, lift } = createButton()
  lift(120)
  expect(done).toEqual(['no click', 'pressed'])
})

it('is not pressed by a finger that slid off', () => {
  const { done, lift } = createButton()
  lift(150)
  expect(done).toEqual(['no click'])
})

it('is pressed by the click of a mouse or a key', () => {
  const { done, button } = createButton()
  button.onClick()
  expect(done).toEqual(['pressed'])
})
