import { orbit, pan, zoom } from '../scene/camera.ts'
import type { EditorModel } from './editor-model.ts'

type Point = { readonly left: number; readonly top: number }

/** `main` is the left button, a finger or a pen; `other` the right one. */
export type Press = 'main' | 'other'

type Acts = {
  /** A press that did not move. */
  readonly click: (at: Point, press: Press) => void
  /** The pointer hovers. */
  readonly hover: (at: Point) => void
}

const clickPixels = 5

/** Handles pointers: one turns the view, the right button or two fingers move it, two fingers or the wheel zoom. */
export const createEditorGestures = (model: EditorModel, { click, hover }: Acts) => {
  const down = new Map<number, Point>()
  let began: Point | undefined
  let press: Press = 'main'
  let hasMoved = false
  const look = model.camera
  const slide = (dx: number, dy: number): void => {
    look.value = pan(look.peek(), dx, dy, model.size.peek())
  }
  const moveTwo = (id: number, to: Point): void => {
    const from = down.get(id)
    const still = [...down].find(([other]) => other !== id)?.[1]
    if (from === undefined || still === undefined) return
    slide((to.left - from.left) / 2, (to.top - from.top) / 2)
    const gap = (one: Point): number => Math.hypot(one.left - still.left, one.top - still.top)
    look.value = zoom(look.peek(), Math.max(1, gap(from)) / Math.max(1, gap(to)))
  }
  const moveOne = (from: Point, to: Point): void => {
    const [dx, dy] = [to.left - from.left, to.top - from.top]
    if (press === 'other') slide(dx, dy)
    else look.value = orbit(look.peek(), dx, dy)
  }
  return {
    down: (id: number, at: Point, which: Press): void => {
      if (down.size === 0) {
        began = at
        press = which
        hasMoved = false
      } else hasMoved = true
      down.set(id, at)
    },
    move: (id: number, at: Point): void => {
      const from = down.get(id)
      if (from === undefined) {
        if (down.size === 0) hover(at)
        return
      }
      hasMoved ||= began !== undefined && Math.hypot(at.left - began.left, at.top - began.top) > clickPixels
      if (down.size > 1) moveTwo(id, at)
      else if (hasMoved) moveOne(from, at)
      if (down.size > 1 || hasMoved) down.set(id, at)
    },
    up: (id: number): void => {
      const at = down.get(id)
      down.delete(id)
      if (at !== undefined && down.size === 0 && !hasMoved) click(at, press)
    },
    cancel: (id: number): void => {
      down.delete(id)
      hasMoved = true
    },
  }
}
