import { createDrag } from './drag.ts'
import { createRealMovement } from './real-movement.ts'

/** Mouse input of the game. */
export type MouseEvents = {
  readonly onLook: (dx: number, dy: number) => void
  readonly onButton: (button: 'break' | 'place' | 'pick', isDown: boolean) => void
  readonly onWheel: (steps: number) => void
  /** Called when the mouse is captured or released. */
  readonly onGrab: (isGrabbed: boolean) => void
  /** Called when the browser has no pointer lock: from now on, dragging looks around. */
  readonly onFallBack: () => void
}

export type Mouse = {
  /**
   * Captures the mouse; without a pointer lock, dragging looks around. Returns false if a lock worked before and is refused now, as for
   * a moment after Escape.
   */
  grab(): Promise<boolean>
  release(): void
  isGrabbed(): boolean
  close(): void
}

const buttons = ['break', 'pick', 'place'] as const
/** Bits of buttons, in `MouseEvent.buttons`. */
const bits = [1, 4, 2] as const
/** The start of a scroll is a step, and so is each notch. A trackpad sends many small movements in quick succession. */
const stepPixels = 50
const linePixels = 40
const gestureMs = 200

type PromiseWithResolvers = { readonly promise: Promise<void>; readonly resolve: () => void }

const createResolvers = (): PromiseWithResolvers => {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

export const createMouse = (canvas: HTMLElement, { onLook, onButton, onWheel, onGrab, onFallBack }: MouseEvents): Mouse => {
  let isFallback = false
  let wasLocked = false
  /** A requested lock arrives later, and may not be wanted by then. */
  let isWanted = false
  let grabbing: Promise<boolean> | undefined
  /** True until the browser has released the mouse. */
  let leaving: PromiseWithResolvers | undefined
  const readMovement = createRealMovement()
  let turned = 0
  let turnedAtMs = Number.NEGATIVE_INFINITY
  const drag = createDrag((at) => {
    const button = buttons[at]
    if (button !== undefined) onButton(button, true)
  })
  const isLocked = (): boolean => document.pointerLockElement === canvas
  const isGrabbed = (): boolean => isLocked() || isFallback

  const fallBack = (): void => {
    isFallback = true
    onGrab(true)
    onFallBack()
  }
  const lock = async (options?: { unadjustedMovement: boolean }): Promise<void> => {
    // Older browsers return nothing and fire an event.
    await (canvas.requestPointerLock as (wanted?: object) => Promise<void> | undefined).call(canvas, options)
  }
  const letGo = (): void => {
    leaving ??= createResolvers()
    document.exitPointerLock()
  }
  const take = async (): Promise<boolean> => {
    if (leaving !== undefined) {
      await leaving.promise
      if (!isWanted) return true
    }
    if (typeof canvas.requestPointerLock !== 'function' && !isFallback) {
      // The press that captures the mouse is not a press in the game.
      await new Promise((resolve) => setTimeout(resolve))
      if (!isWanted) return true
      fallBack()
    }
    if (isLocked() || isFallback) {
      onGrab(true)
      return true
    }
    try {
      await lock({ unadjustedMovement: true }).catch((error: unknown) => {
        if (error instanceof DOMException && error.name === 'NotSupportedError') return lock()
        throw error
      })
    } catch {
      if (isLocked() || !isWanted) return true
      if (wasLocked) {
        isWanted = false
        return false
      }
      fallBack()
    }
    return true
  }
  /** A double click requests the lock once, because browsers refuse the second request. */
  const grab = (): Promise<boolean> => {
    isWanted = true
    if (grabbing !== undefined) return grabbing
    const asked = take().finally(() => {
      if (grabbing === asked) grabbing = undefined
    })
    grabbing = asked
    return asked
  }
  const release = (): void => {
    const isAsked = isWanted
    isWanted = false
    // For a browser that never answered.
    grabbing = undefined
    if (isLocked()) letGo()
    else if (isFallback || isAsked) {
      isFallback = false
      drag.end()
      onGrab(false)
    }
  }
  const changed = (): void => {
    if (isLocked()) {
      wasLocked = true
      isFallback = false
      drag.end()
      // A window that opened during the request stays open.
      if (isWanted) onGrab(true)
      else letGo()
      return
    }
    leaving?.resolve()
    leaving = undefined
    // The player closed a window during the release, and is already back in the game.
    if (isWanted && grabbing !== undefined) return
    isWanted = false
    onGrab(false)
  }
  const failed = (): void => {
    // A first attempt may lack an option. The second may succeed, or find the lock already there.
    if (isLocked() || !isWanted || grabbing !== undefined || isFallback) return
    if (wasLocked) {
      isWanted = false
      onGrab(false)
    } else fallBack()
  }
  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return
    // Only the first pressed and the last released button have their own events.
    const bit = bits[event.button]
    if (bit !== undefined && (event.buttons & bit) !== 0) down(event)
    else if (bit !== undefined) up(event)
    if (isLocked()) {
      onLook(...readMovement(event))
    } else if (isFallback && drag.button() !== undefined) {
      drag.move(event)
      onLook(event.movementX, event.movementY)
    }
  }
  const down = (event: PointerEvent): void => {
    if (event.pointerType === 'touch' || event.target !== canvas) return
    event.preventDefault()
    const button = buttons[event.button]
    if (isLocked() && button !== undefined) onButton(button, true)
    else if (isFallback && drag.button() !== undefined && button !== undefined) onButton(button, true)
    else if (isFallback) {
      drag.begin(event)
      // A browser that refused once may accept later.
      if (typeof canvas.requestPointerLock === 'function') lock().catch(() => undefined)
    }
  }
  const up = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return
    const button = buttons[event.button]
    if (button === undefined) return
    // Without a lock, a short press in place is a click.
    const isDrag = (drag.button() ?? event.button) === event.button
    if (isFallback && isDrag && drag.isClick()) onButton(button, true)
    onButton(button, false)
    if (isDrag) drag.end()
  }
  /** A button released in another window sends no event. */
  const blur = (): void => {
    const name = buttons[drag.button() ?? -1]
    drag.end()
    if (name !== undefined) onButton(name, false)
  }
  const turn = (event: WheelEvent): void => {
    // With Shift, which also runs, Chrome and macOS report the wheel as horizontal.
    const isSideways = event.shiftKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)
    const delta = isSideways ? event.deltaX : event.deltaY
    if (!isGrabbed() || event.target !== canvas || delta === 0) return
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? delta : delta * linePixels
    const isNew = event.timeStamp - turnedAtMs > gestureMs || turned * pixels < 0
    turnedAtMs = event.timeStamp
    turned = isNew ? 0 : turned + pixels
    if (!isNew && Math.abs(turned) < stepPixels) return
    onWheel(Math.sign(pixels))
    turned = 0
  }
  // With a lock, the browser itself releases the mouse.
  const leave = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') release()
  }
  const noMenu = (event: Event): void => event.preventDefault()
  const listeners = [
    [document, 'pointerlockchange', changed],
    [document, 'pointerlockerror', failed],
    [window, 'pointermove', move],
    [window, 'pointerdown', down],
    [window, 'pointerup', up],
    [window, 'blur', blur],
    [window, 'wheel', turn],
    [canvas, 'contextmenu', noMenu],
  ] as const
  for (const [target, name, act] of listeners) target.addEventListener(name, act as EventListener)
  // Runs before a window that closes on Escape, which returns to the game.
  window.addEventListener('keydown', leave, true)
  return {
    grab,
    release,
    isGrabbed,
    close: () => {
      window.removeEventListener('keydown', leave, true)
      for (const [target, name, act] of listeners) target.removeEventListener(name, act as EventListener)
      drag.end()
      if (isLocked()) document.exitPointerLock()
    },
  }
}
