import type { ReadonlySignal } from '@preact/signals'
import { type Action, actions, type Settings } from '../state/settings.ts'
import { createDoublePress } from './double-press.ts'

/** Pressed keys, by action. Pressing forward twice also runs. */
export type Keyboard = {
  isDown(action: Action): boolean
  release(): void
  close(): void
}

export type KeyboardOptions = {
  readonly settings: ReadonlySignal<Settings>
  /** Whether the game receives keys, instead of a window over it. */
  readonly isPlaying: () => boolean
  readonly onPress: (action: Action, event: KeyboardEvent) => void
  readonly onDigit: (digit: number) => void
}

const moves = ['forward', 'back', 'left', 'right'] as const

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement

export const createKeyboard = ({ settings, isPlaying, onPress, onDigit }: KeyboardOptions): Keyboard => {
  const down = new Set<string>()
  const ahead = createDoublePress()
  const press = (event: KeyboardEvent): void => {
    if (isTyping(event) || event.metaKey || event.altKey) return
    const { keys } = settings.value
    const bound = actions.find((one) => keys[one] === event.code)
    // On many keyboards a slash needs Shift, which also runs.
    const isSlash = event.key === '/' && bound === undefined && !moves.some((move) => down.has(keys[move]))
    const action = isSlash ? 'command' : bound
    const isGame = isPlaying()
    // The browser's shortcuts on these keys would leave the game.
    if (isGame && (action !== undefined || event.code === 'Space')) event.preventDefault()
    if (event.repeat) return
    if (isGame) {
      down.add(event.code)
      if (action === 'forward') ahead.press(event.timeStamp)
    }
    if (action !== undefined) onPress(action, event)
    const digit = isSlash ? undefined : /^Digit([1-9])$/.exec(event.code)?.[1]
    if (isGame && digit !== undefined) onDigit(Number(digit))
  }
  const release = (): void => {
    down.clear()
    ahead.lift()
  }
  const lift = ({ code, key }: KeyboardEvent): void => {
    // While Cmd is down, macOS reports no released keys.
    if (key === 'Meta') release()
    down.delete(code)
    if (code === settings.value.keys.forward) ahead.lift()
  }
  addEventListener('keydown', press)
  addEventListener('keyup', lift)
  addEventListener('blur', release)
  return {
    isDown: (action) => down.has(settings.value.keys[action]) || (action === 'run' && ahead.isHeld()),
    release,
    close: () => {
      removeEventListener('keydown', press)
      removeEventListener('keyup', lift)
      removeEventListener('blur', release)
    },
  }
}
