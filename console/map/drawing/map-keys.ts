import { columnAt, nameColumn } from '../scene/columns.ts'
import { addColumns, removeColumns } from '../scene/draft.ts'
import type { MapModel } from '../scene/map-model.ts'
import { panBy, zoomAt } from '../scene/view.ts'

const step = 64
const zoomStep = 1.5

const pans: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [step, 0],
  ArrowRight: [-step, 0],
  ArrowUp: [0, step],
  ArrowDown: [0, -step],
}

const middle = (model: MapModel) => {
  const { x, z } = model.view.peek()
  return { x: Math.floor(x), z: Math.floor(z) }
}

/** Adds the centre column to the draft, or removes it. */
const toggleColumn = (model: MapModel): void => {
  const draft = model.draft.peek()
  if (draft === undefined) return
  const { x, z } = middle(model)
  const column = columnAt(x, z)
  const change = draft.columns.has(nameColumn(column.cx, column.cz)) ? removeColumns : addColumns
  model.draft.value = change(draft, [column])
}

export const zoomBy = (model: MapModel, steps: number): void => {
  model.view.value = zoomAt(model.view.peek(), model.size.peek(), zoomStep ** steps)
}

type Acts = { readonly pick: (block: { x: number; z: number }) => void; readonly mayDraw: boolean }

/** Handles a key on the map. Returns false if the key does nothing here. */
export const pressKey = (model: MapModel, key: string, { pick, mayDraw }: Acts): boolean => {
  const pan = pans[key]
  if (pan !== undefined) model.view.value = panBy(model.view.peek(), ...pan)
  else if (key === '+' || key === '=') zoomBy(model, 1)
  else if (key === '-') zoomBy(model, -1)
  else if (key === 'Enter' || key === ' ') {
    if (mayDraw && model.draft.peek() !== undefined) toggleColumn(model)
    else pick(middle(model))
  } else return false
  model.pointed.value = middle(model)
  return true
}
