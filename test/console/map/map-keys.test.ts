import { expect, it } from '@jest/globals'
import { pressKey } from '../../../console/map/drawing/map-keys.ts'
import { newDraft } from '../../../console/map/scene/draft.ts'
import { createMapModel } from '../../../console/map/scene/map-model.ts'

it.each([
  [true, true, 0, 1],
  [true, false, 1, 0],
  [false, true, 1, 0],
])('draws with Enter if a shape is started (%p) and drawing is allowed (%p), else selects', (isBegun, mayDraw, picked, drawn) => {
  const model = createMapModel()
  if (isBegun) model.draft.value = newDraft
  let picks = 0
  const pick = () => {
    picks += 1
  }
  expect(pressKey(model, 'Enter', { pick, mayDraw })).toBe(true)
  expect([picks, model.draft.peek()?.columns.size ?? 0]).toEqual([picked, drawn])
})
