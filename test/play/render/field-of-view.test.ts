import { expect, it } from '@jest/globals'
import { fitFieldOfView } from '../../../play/render/field-of-view.ts'

const across = (up: number, aspect: number): number => (Math.atan(Math.tan((up * Math.PI) / 360) * aspect) * 360) / Math.PI

it('is the setting on a wide picture', () => {
  expect(fitFieldOfView(75, 1280 / 720)).toBe(75)
  expect(fitFieldOfView(75, 844 / 390)).toBe(75)
})

it('shows 60 degrees across on an upright phone, and more with a wider setting', () => {
  expect(across(fitFieldOfView(75, 390 / 844), 390 / 844)).toBeCloseTo(60)
  expect(fitFieldOfView(110, 390 / 844)).toBe(110)
})

it('never distorts a picture that is narrower still', () => {
  expect(fitFieldOfView(75, 0.05)).toBe(120)
})
