import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { EditorModel } from '../../../console/zones/editor/building/editor-model.ts'
import { openBarePage } from '../../support/pages/bare-page.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

let page: ReturnType<typeof openBarePage>
let editor: typeof import('../../../console/zones/editor/building/editor-model.ts')
let model: EditorModel
const plane = (pos: number) => ({ enabled: true, flipped: false, pos })
const zone = createZone({})
const saved = (pos: number, pages: (string | null)[][] = []) => ({
  ...zone,
  clipPlanes: { x: plane(pos), y: plane(0), z: plane(0) },
  shortcutBarPages: pages,
})

beforeAll(async () => {
  page = openBarePage()
  editor = await import('../../../console/zones/editor/building/editor-model.ts')
})
afterAll(() => page.close())
beforeEach(() => {
  model = editor.modelOf({ ...saved(1), id: crypto.randomUUID() })
})

it('follows saves of others when nothing was changed here', () => {
  editor.takeZone(model, saved(2, [['stone']]))
  expect([model.planes.value.x.pos, model.pages.value, model.isLayoutChanged.value]).toEqual([2, [['stone']], false])
})

it('reports a save of another admin, and continues from either version', () => {
  model.planes.value = saved(5).clipPlanes
  expect([model.isLayoutChanged.value, model.isLayoutOld.value]).toEqual([true, false])
  editor.takeZone(model, { ...saved(1), name: 'Renamed' })
  expect(model.isLayoutOld.value).toBe(false)
  editor.takeZone(model, saved(2))
  expect([model.planes.value.x.pos, model.isLayoutOld.value]).toEqual([5, true])
  editor.takeLayout(model, true)
  expect([model.planes.value.x.pos, model.isLayoutChanged.value, model.isLayoutOld.value]).toEqual([5, true, false])
  editor.takeZone(model, saved(3))
  editor.takeLayout(model, false)
  expect([model.planes.value.x.pos, model.isLayoutChanged.value]).toEqual([3, false])
})

it('fills a slot of the visible page when others saved fewer pages', () => {
  editor.takeZone(model, saved(1, [['stone'], ['dirt'], ['sand']]))
  model.page.value = 2
  editor.takeZone(model, saved(1, [['glass']]))
  expect(editor.slotsOf(model, [])[0]).toBe('glass')
  editor.fillSlot(model, [], 'planks')
  expect(model.pages.value[0]?.[0]).toBe('planks')
})
