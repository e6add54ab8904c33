import { createDrag } from './drag.ts'
import { createRealMovement } from './real-movement.ts'

/** What the mouse does in the game. */
export type MouseEvents = {
  readonly onLook: (dx: number, dy: number) => void
  readonly onButton: (button: 'break' | 'place' | 'pick', isDown: boolean) => void
  readonly onWheel: (steps: number) => void
  /** The mouse is the game's, or the page's again. */
  readonly onGrab: (isGrabbed: boolean) => void
  /** The browser gives the mouse to nobody: from now on one looks by dragging. */
  readonly onFallBack: () => void
}

export type Mouse = {
  /**
   * Takes the mouse; where the browser gives it to nobody, one looks around by dragging. False where it was given before and is not now,
   * as browsers do for a moment after Escape.
   */
  grab(): Promise<boolean>
  release(): void
  isGrabbed(): boolean
  close(): void
}

const buttons = ['break', 'pick', 'place'] as const
/** Of each button, in `MouseEvent.buttons`. */
const bits = [1, 4, 2] as const
/** A wheel that begins to turn is one step, and so is each notch; a trackpad tells of many small ways, one soon after the other. */
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
  /** What one asks of a browser comes later, and may be wanted no more by then. */
  let isWanted = false
  let grabbing: Promise<boolean> | undefined
  /** Until the browser has let go of the mouse, as it was told. */
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
    // Older browsers answer with nothing, and tell by an event.
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
      // The press that asks for the mouse is none in the game.
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
  /** Who clicks twice asks once: a browser would refuse the second time. */
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
    // Of a browser that never answered.
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
      // Who opened a window while the browser thought about it goes on in that window.
      if (isWanted) onGrab(true)
      else letGo()
      return
    }
    leaving?.resolve()
    leaving = undefined
    // Who closed a window while the browser still let go is in the game already.
    if (isWanted && grabbing !== undefined) return
    isWanted = false
    onGrab(false)
  }
  const failed = (): void => {
    // Of a first try without support for what it wanted: the second may succeed, or have the mouse already.
    if (isLocked() || !isWanted || grabbing !== undefined || isFallback) return
    if (wasLocked) {
      isWanted = false
      onGrab(false)
    } else fallBack()
  }
  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return
    // Of several buttons only the first pressed and the last lifted have events of their own.
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
      // A browser that refused once may have thought better of it.
      if (typeof canvas.requestPointerLock === 'function') lock().catch(() => undefined)
    }
  }
  const up = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return
    const button = buttons[event.button]
    if (button === undefined) return
    // Without a lock a short press that did not move is a click.
    const isDrag = (drag.button() ?? event.button) === event.button
    if (isFallback && isDrag && drag.isClick()) onButton(button, true)
    onButton(button, false)
    if (isDrag) drag.end()
  }
  /** Nobody tells of a button that is lifted in another window. */
  const blur = (): void => {
    const name = buttons[drag.button() ?? -1]
    drag.end()
    if (name !== undefined) onButton(name, false)
  }
  const turn = (event: WheelEvent): void => {
    // With Shift, by which one runs, Chrome and macOS tell of a wheel as if it went sideways.
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
  // With a lock the browser itself lets the mouse go.
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
  // Before a window that Escape closes: who closes one goes back into the game.
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
