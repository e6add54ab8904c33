import { readStick, type Stick } from './stick.ts'

/** Touch input: the left part walks, the rest looks; a tap places, a hold breaks. */
export type TouchEvents = {
  readonly onLook: (dx: number, dy: number) => void
  readonly onButton: (button: 'break' | 'place', isDown: boolean) => void
  readonly onStick: (stick: Stick | undefined) => void
  readonly isPlaying: () => boolean
}

export type Touch = {
  /** The direction of the stick. */
  walk(): ReturnType<typeof readStick>
  /** Ignores the fingers that are down. */
  release(): void
  close(): void
}

const stickPart = 0.4
const tapMs = 280
const holdMs = 380
const tapPixels = 14
const lookRate = 2.2

type Finger = {
  readonly kind: 'stick' | 'look'
  readonly x: number
  readonly y: number
  readonly at: number
  lastX: number
  lastY: number
  moved: boolean
  hold: number
  isHolding: boolean
}

export const createTouch = (canvas: HTMLElement, { onLook, onButton, onStick, isPlaying }: TouchEvents): Touch => {
  const fingers = new Map<number, Finger>()
  const findStick = (): Finger | undefined => [...fingers.values()].find(({ kind }) => kind === 'stick')

  const down = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch' || !isPlaying()) return
    event.preventDefault()
    canvas.setPointerCapture(event.pointerId)
    const { clientX: x, clientY: y } = event
    const kind = x < innerWidth * stickPart && findStick() === undefined ? 'stick' : 'look'
    const finger: Finger = { kind, x, y, at: event.timeStamp, lastX: x, lastY: y, moved: false, hold: 0, isHolding: false }
    fingers.set(event.pointerId, finger)
    if (kind === 'stick') onStick({ fromX: x, fromY: y, x, y })
    else
      finger.hold = window.setTimeout(() => {
        if (finger.moved) return
        finger.isHolding = true
        onButton('break', true)
      }, holdMs)
  }
  const move = (event: PointerEvent): void => {
    const finger = fingers.get(event.pointerId)
    if (finger === undefined) return
    const { clientX: x, clientY: y } = event
    if (Math.hypot(x - finger.x, y - finger.y) > tapPixels) finger.moved = true
    if (finger.kind === 'stick') onStick({ fromX: finger.x, fromY: finger.y, x, y })
    else if (finger.moved) onLook((x - finger.lastX) * lookRate, (y - finger.lastY) * lookRate)
    finger.lastX = x
    finger.lastY = y
  }
  const up = (event: PointerEvent): void => {
    const finger = fingers.get(event.pointerId)
    if (finger === undefined) return
    fingers.delete(event.pointerId)
    clearTimeout(finger.hold)
    if (finger.kind === 'stick') onStick(undefined)
    else if (finger.isHolding) onButton('break', false)
    else if (!finger.moved && event.timeStamp - finger.at < tapMs && event.type === 'pointerup') {
      onButton('place', true)
      onButton('place', false)
    }
  }
  canvas.addEventListener('pointerdown', down)
  canvas.addEventListener('pointermove', move)
  canvas.addEventListener('pointerup', up)
  canvas.addEventListener('pointercancel', up)
  return {
    walk: () => {
      const stick = findStick()
      if (stick === undefined) return { forward: 0, right: 0, run: false }
      return readStick({ fromX: stick.x, fromY: stick.y, x: stick.lastX, y: stick.lastY })
    },
    release: () => {
      for (const { hold } of fingers.values()) clearTimeout(hold)
      fingers.clear()
      onStick(undefined)
    },
    close: () => {
      canvas.removeEventListener('pointerdown', down)
      canvas.removeEventListener('pointermove', move)
      canvas.removeEventListener('pointerup', up)
      canvas.removeEventListener('pointercancel', up)
    },
  }
}
