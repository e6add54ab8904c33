import { stepAlong, zoom } from '../scene/camera.ts'
import type { EditorModel } from './editor-model.ts'

/** Actions of keys, besides moving the cursor. */
export type KeyActs = {
  readonly place: () => void
  readonly remove: () => void
  readonly pick: () => void
  readonly undo: () => void
  readonly redo: () => void
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

const zoomStep = 1.25
const turnPixels = 50

const steps: Readonly<Record<string, readonly [ahead: number, right: number, up: number]>> = {
  ArrowUp: [1, 0, 0],
  ArrowDown: [-1, 0, 0],
  ArrowRight: [0, 1, 0],
  ArrowLeft: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Moves the cursor within the zone, and the view with it. */
export const moveCursor = (model: EditorModel, to: { readonly x: number; readonly y: number; readonly z: number }): void => {
  const { minX, maxX, minY, maxY, minZ, maxZ } = model.span.peek()
  const at = { x: clamp(to.x, minX, maxX), y: clamp(to.y, minY, maxY), z: clamp(to.z, minZ, maxZ) }
  model.cursor.value = at
  model.pointed.value = undefined
  model.camera.value = { ...model.camera.peek(), target: { x: at.x + 0.5, y: at.y + 0.5, z: at.z + 0.5 } }
}

const turn = (model: EditorModel, yaw: number, pitch: number): void => {
  const camera = model.camera.peek()
  model.camera.value = { ...camera, yaw: (camera.yaw + yaw + 360) % 360, pitch: clamp(camera.pitch + pitch, -89, 89) }
}

/** Returns whether the key had an effect. */
export const pressEditorKey = (model: EditorModel, { key, ctrlKey, metaKey, shiftKey, altKey }: Key, acts: KeyActs): boolean => {
  if (altKey) return false
  const isCommand = ctrlKey || metaKey
  const step = steps[key]
  const digit = /^[0-9]$/.test(key) ? (Number(key) + 9) % 10 : undefined
  const quarter = turnPixels * 0.3
  const others: Readonly<Record<string, () => void>> = {
    Enter: acts.place,
    Delete: acts.remove,
    Backspace: acts.remove,
    p: acts.pick,
    m: () => {
      model.mark.value = model.mark.peek() === undefined ? model.cursor.peek() : undefined
    },
    '+': () => {
      model.camera.value = zoom(model.camera.peek(), 1 / zoomStep)
    },
    '-': () => {
      model.camera.value = zoom(model.camera.peek(), zoomStep)
    },
    a: () => turn(model, -quarter, 0),
    d: () => turn(model, quarter, 0),
    w: () => turn(model, 0, -quarter),
    s: () => turn(model, 0, quarter),
  }
  if (isCommand) {
    const isRedo = key.toLowerCase() === 'y' || (key.toLowerCase() === 'z' && shiftKey)
    if (isRedo) acts.redo()
    else if (key.toLowerCase() === 'z') acts.undo()
    return isRedo || key.toLowerCase() === 'z'
  }
  if (step !== undefined) {
    const [ahead, right, up] = step
    const { x, y, z } = model.cursor.peek()
    const along = stepAlong(model.camera.peek().yaw, ahead, right)
    moveCursor(model, { x: x + along.x, y: y + up, z: z + along.z })
  } else if (digit !== undefined) model.slot.value = digit
  else others[key]?.()
  return step !== undefined || digit !== undefined || key in others
}
