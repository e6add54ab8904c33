import { beforeEach, expect, it } from '@jest/globals'
import { createGestures } from '../../../console/map/drawing/gestures.ts'
import { newDraft } from '../../../console/map/scene/draft.ts'
import { createMapModel, type MapModel } from '../../../console/map/scene/map-model.ts'

let model: MapModel
let told: string[]
let gestures: ReturnType<typeof createGestures>

beforeEach(() => {
  model = createMapModel()
  model.view.value = { x: 0, z: 0, scale: 1 }
  model.size.value = { width: 400, height: 400 }
  model.tool.value = 'paint'
  model.draft.value = newDraft
  told = []
  gestures = createGestures(model, { pick: () => told.push('pick'), tooLarge: () => told.push('too large') })
})

const drawn = (): string[] => [...(model.draft.peek()?.columns ?? [])]

it('draws nothing with the first of two fingers that zoom', () => {
  gestures.down(1, { left: 200, top: 200 }, false)
  expect(drawn()).toEqual(['0,0'])
  gestures.down(2, { left: 260, top: 200 }, false)
  gestures.move(2, { left: 320, top: 200 })
  gestures.up(1)
  gestures.up(2)
  expect(drawn()).toEqual([])
  expect(model.view.peek().scale).toBe(2)
})

it('keeps the existing box when a drag becomes a zoom', () => {
  const before = { minX: 1, minZ: 2, maxX: 3, maxZ: 4 }
  model.tool.value = 'box'
  model.box.value = before
  gestures.down(1, { left: 200, top: 200 }, false)
  expect(model.box.peek()).not.toEqual(before)
  gestures.down(2, { left: 260, top: 200 }, false)
  expect(model.box.peek()).toEqual(before)
})

it('reports a rectangle that is too large for a zone, and draws none of it', () => {
  model.tool.value = 'rectangle'
  model.view.value = { x: 0, z: 0, scale: 0.1 }
  gestures.down(1, { left: 0, top: 0 }, false)
  gestures.move(1, { left: 400, top: 400 })
  gestures.up(1)
  expect(told).toEqual(['too large'])
  expect(drawn()).toEqual([])
})

it('selects a point that was pressed and released without a drag', () => {
  model.tool.value = 'move'
  gestures.down(1, { left: 200, top: 200 }, false)
  gestures.move(1, { left: 202, top: 201 })
  gestures.up(1)
  expect(told).toEqual(['pick'])
})
