import { useLayoutEffect, useRef } from 'preact/hooks'

/** The default button of a window, which Enter presses at once. */
export const useFocus = () => {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = button
    current?.focus({ preventScroll: true })
    // A key held since before the window opened presses nothing.
    const ignoreHeld = (event: KeyboardEvent): void => {
      if (event.repeat) event.preventDefault()
    }
    current?.addEventListener('keydown', ignoreHeld)
    return () => current?.removeEventListener('keydown', ignoreHeld)
  }, [])
  return button
}

/** Escape closes a window, wherever the focus is. Registered at once, because a key may follow a click directly. */
export const useEscape = (onDone: () => void): void => {
  useLayoutEffect(() => {
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onDone()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [onDone])
}
