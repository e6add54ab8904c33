import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Hud } from '../state/hud.ts'
import type { Action, Settings } from '../state/settings.ts'
import { words } from '../words.ts'
import { createKeyboard } from './keyboard.ts'
import { createMouse } from './mouse.ts'
import type { Stick } from './stick.ts'
import { createTouch } from './touch.ts'

/** The input device. */
type PointerKind = 'touch' | 'mouse'

/**
 * Reports whether touch or the mouse was used last: on the picture at once, elsewhere on click, before the clicked button gets it.
 * Otherwise a layout change could move the button away.
 */
const watchLastPointer = (canvas: EventTarget, onPointer: (kind: PointerKind, isOnPicture: boolean) => void): (() => void) => {
  let last: PointerKind | undefined
  const down = ({ pointerType, target }: PointerEvent): void => {
    // A pen works like a mouse if there is one, and does not hide the touch buttons.
    if (pointerType !== 'touch' && pointerType !== 'mouse') return
    last = pointerType
    if (target === canvas) onPointer(last, true)
  }
  const click = (): void => {
    if (last !== undefined) onPointer(last, false)
  }
  addEventListener('pointerdown', down, true)
  addEventListener('click', click, true)
  return () => {
    removeEventListener('pointerdown', down, true)
    removeEventListener('click', click, true)
  }
}

/** Combines keys, mouse and touch: the look, the movement and the held button. */
export type Controls = {
  look: { yaw: number; pitch: number }
  wanted(): {
    readonly forward: number
    readonly right: number
    readonly jump: boolean
    readonly down: boolean
    readonly run: boolean
  }
  /** The held button. */
  held(): 'break' | 'place' | undefined
  /** Captures the mouse, or starts touch input. */
  resume(): void
  pause(): void
  close(): void
}

/** The state of the touch buttons and of the stick. */
export type TouchPad = {
  readonly jump: Signal<boolean>
  readonly down: Signal<boolean>
  readonly stick: Signal<Stick | undefined>
}

export type ControlsOptions = {
  readonly canvas: HTMLElement
  readonly hud: Hud
  readonly pad: TouchPad
  readonly settings: ReadonlySignal<Settings>
  readonly onAction: (action: Action, event: KeyboardEvent) => void
  /** Called once per press. */
  readonly onButton: (button: 'break' | 'place' | 'pick') => void
}

const degreesPerPixel = 0.12
const slots = 9
/** Browsers refuse the pointer lock for this long after Escape. */
const againMs = 1_400

export const createControls = ({ canvas, hud, pad, settings, onAction, onButton }: ControlsOptions): Controls => {
  const look = { yaw: 0, pitch: 0 }
  let held: 'break' | 'place' | undefined
  let isToldOfDragging = false
  let again: ReturnType<typeof setTimeout> | undefined
  const forgetAgain = (): void => {
    clearTimeout(again)
    removeEventListener('pointerdown', forgetAgain)
    removeEventListener('keydown', forgetAgain)
  }
  const isPlaying = (): boolean => hud.screen.value === 'none' && hud.curtain.value.kind === 'none'
  const turn = (dx: number, dy: number): void => {
    if (!isPlaying()) return
    const { sensitivity, invert } = settings.value
    const rate = degreesPerPixel * sensitivity
    look.yaw = (((look.yaw + dx * rate) % 360) + 360) % 360
    look.pitch = Math.max(-89.9, Math.min(89.9, look.pitch + (invert ? dy : -dy) * rate))
  }
  const press = (button: 'break' | 'place' | 'pick', isDown: boolean): void => {
    if (!isDown) held = held === button ? undefined : held
    else if (isPlaying()) {
      if (button !== 'pick') held = button
      onButton(button)
    }
  }
  const keyboard = createKeyboard({
    settings,
    isPlaying,
    onPress: onAction,
    onDigit: (digit) => {
      hud.slot.value = digit - 1
    },
  })
  const mouse = createMouse(canvas, {
    onLook: turn,
    onButton: press,
    onWheel: (steps) => {
      hud.slot.value = (hud.slot.value + steps + slots) % slots
    },
    onGrab: (isGrabbed) => {
      // A player who is already playing keeps the pressed keys.
      if (!isGrabbed || hud.screen.value !== 'none') {
        held = undefined
        keyboard.release()
      }
      forgetAgain()
      if (isGrabbed) hud.screen.value = 'none'
      // Touch works without the mouse.
      else if (hud.screen.value === 'none' && !hud.isTouch.value) hud.screen.value = 'pause'
    },
    onFallBack: () => {
      if (!hud.isTouch.value && !isToldOfDragging) hud.toast('info', words.noMouse)
      isToldOfDragging = true
    },
  })
  const touch = createTouch(canvas, {
    onLook: turn,
    onButton: press,
    isPlaying,
    onStick: (stick) => {
      pad.stick.value = stick
    },
  })
  const resume = (): void => {
    // Closes overlays at once: the next key belongs to the game, even before the browser has locked the pointer.
    if (hud.isTouch.value || hud.screen.value === 'chat' || hud.screen.value === 'blocks') hud.screen.value = 'none'
    if (!hud.isTouch.value)
      void mouse.grab().then((isGrabbed) => {
        if (isGrabbed) return
        hud.screen.value = 'pause'
        forgetAgain()
        // Unless the player does something else first.
        addEventListener('pointerdown', forgetAgain)
        addEventListener('keydown', forgetAgain)
        again = setTimeout(() => {
          forgetAgain()
          if (hud.screen.value === 'pause' && hud.curtain.value.kind === 'none') void mouse.grab()
        }, againMs)
      })
  }
  const stopWatching = watchLastPointer(canvas, (kind, isOnPicture) => {
    const wasTouch = hud.isTouch.value
    hud.isTouch.value = kind === 'touch'
    if (hud.isTouch.value && !wasTouch) mouse.release()
    // After starting with a touch button, the mouse is not captured yet.
    if (!hud.isTouch.value && !mouse.isGrabbed() && isOnPicture && isPlaying()) resume()
  })
  return {
    look,
    wanted: () => {
      if (!isPlaying()) return { forward: 0, right: 0, jump: false, down: false, run: false }
      const is = (action: Action): number => (keyboard.isDown(action) ? 1 : 0)
      const thumb = touch.walk()
      return {
        forward: is('forward') - is('back') + thumb.forward,
        right: is('right') - is('left') + thumb.right,
        jump: keyboard.isDown('jump') || pad.jump.value,
        down: keyboard.isDown('down') || pad.down.value,
        run: keyboard.isDown('run') || thumb.run,
      }
    },
    held: () => (isPlaying() ? held : undefined),
    resume,
    pause: () => {
      forgetAgain()
      held = undefined
      keyboard.release()
      touch.release()
      // The touch buttons disappear, so their release is never reported.
      pad.jump.value = false
      pad.down.value = false
      mouse.release()
    },
    close: () => {
      forgetAgain()
      stopWatching()
      keyboard.close()
      mouse.close()
      touch.close()
    },
  }
}
