import { type Column, columnAt, columnsMax, countRectangle, listLine, listRectangle } from '../scene/columns.ts'
import { addColumns, type Draft, removeColumns } from '../scene/draft.ts'
import type { MapModel } from '../scene/map-model.ts'
import { type Area, panBy, toBlock, zoomAt } from '../scene/view.ts'

type Point = { readonly left: number; readonly top: number }
type Block = { readonly x: number; readonly z: number }

type Stroke = {
  readonly kind: 'pan' | 'paint' | 'erase' | 'rectangle' | 'box'
  readonly start: Point
  readonly from: Block
  /** The drawing before the stroke. */
  readonly draft: Draft | undefined
  readonly box: Area | undefined
  hasMoved: boolean
}

/** Shorter drags are clicks. */
const clickWithin = 5

const areaBetween = (from: Block, to: Block): Area => ({
  minX: Math.floor(Math.min(from.x, to.x)),
  minZ: Math.floor(Math.min(from.z, to.z)),
  maxX: Math.floor(Math.max(from.x, to.x)),
  maxZ: Math.floor(Math.max(from.z, to.z)),
})

type Told = { readonly pick: (block: Block) => void; readonly tooLarge: () => void }

/** Handles pointers on the map: one pans or draws, two zoom. Reports clicks, and rectangles that are too large for a zone. */
export const createGestures = (model: MapModel, { pick, tooLarge }: Told) => {
  const pointers = new Map<number, Point>()
  let stroke: Stroke | undefined
  let last: Column | undefined

  const blockAt = ({ left, top }: Point): Block => toBlock(model.view.peek(), model.size.peek(), left, top)
  const edit = (list: readonly Column[], isErased: boolean): void => {
    const draft = model.draft.peek()
    if (draft !== undefined) model.draft.value = isErased ? removeColumns(draft, list) : addColumns(draft, list)
  }
  const brush = (to: Column, isErased: boolean): void => {
    edit(listLine(last ?? to, to), isErased)
    last = to
  }
  const drag = (current: Stroke, before: Point, now: Point): void => {
    const block = blockAt(now)
    const column = columnAt(block.x, block.z)
    if (current.kind === 'pan') model.view.value = panBy(model.view.peek(), now.left - before.left, now.top - before.top)
    else if (current.kind === 'rectangle') model.pulled.value = { from: columnAt(current.from.x, current.from.z), to: column }
    else if (current.kind === 'box') model.box.value = areaBetween(current.from, block)
    else brush(column, current.kind === 'erase')
  }
  const pinch = (id: number, now: Point): void => {
    const before = pointers.get(id)
    const other = [...pointers].find(([one]) => one !== id)?.[1]
    if (before === undefined || other === undefined) return
    const distance = ({ left, top }: Point) => Math.max(Math.hypot(left - other.left, top - other.top), 1)
    const [left, top] = [(now.left + other.left) / 2, (now.top + other.top) / 2]
    const moved = panBy(model.view.peek(), (now.left - before.left) / 2, (now.top - before.top) / 2)
    model.view.value = zoomAt(moved, model.size.peek(), distance(now) / distance(before), left, top)
  }
  const finish = (): void => {
    const pulled = model.pulled.peek()
    if (pulled !== undefined) {
      if (countRectangle(pulled.from, pulled.to) > columnsMax) tooLarge()
      else edit(listRectangle(pulled.from, pulled.to), false)
    }
    model.pulled.value = undefined
    stroke = undefined
    last = undefined
  }

  /** Reverts the stroke. */
  const takeBack = (): void => {
    model.pulled.value = undefined
    if (stroke?.kind === 'paint' || stroke?.kind === 'erase') model.draft.value = stroke.draft
    if (stroke?.kind === 'box') model.box.value = stroke.box
    stroke = undefined
    last = undefined
  }

  return {
    down: (id: number, at: Point, isPulled: boolean): void => {
      pointers.set(id, at)
      if (pointers.size > 1) {
        // Two fingers zoom, so what the first finger drew is reverted.
        takeBack()
        return
      }
      const tool = model.tool.peek()
      const isDrawn = tool === 'box' || model.draft.peek() !== undefined
      const kind = isPulled || tool === 'move' || !isDrawn ? 'pan' : tool
      const from = blockAt(at)
      stroke = { kind, start: at, from, draft: model.draft.peek(), box: model.box.peek(), hasMoved: false }
      if (kind === 'paint' || kind === 'erase') brush(columnAt(from.x, from.z), kind === 'erase')
      else if (kind !== 'pan') drag(stroke, at, at)
    },
    move: (id: number, at: Point): void => {
      const { x, z } = blockAt(at)
      model.pointed.value = { x: Math.floor(x), z: Math.floor(z) }
      const before = pointers.get(id)
      if (before === undefined) return
      if (pointers.size === 2) pinch(id, at)
      else if (stroke !== undefined) {
        stroke.hasMoved ||= Math.hypot(at.left - stroke.start.left, at.top - stroke.start.top) > clickWithin
        drag(stroke, before, at)
      }
      pointers.set(id, at)
    },
    up: (id: number): void => {
      pointers.delete(id)
      if (stroke === undefined) return
      if (stroke.kind === 'pan' && !stroke.hasMoved) pick(stroke.from)
      finish()
    },
    cancel: (id: number): void => {
      pointers.delete(id)
      takeBack()
    },
  }
}
