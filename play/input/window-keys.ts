import { useLayoutEffect, useRef } from 'preact/hooks'

/** The button of a window that Enter presses as soon as it is there. */
export const useFocus = () => {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = button
    current?.focus({ preventScroll: true })
    // A key that was held down when the window came presses nothing.
    const ignoreHeld = (event: KeyboardEvent): void => {
      if (event.repeat) event.preventDefault()
    }
    current?.addEventListener('keydown', ignoreHeld)
    return () => current?.removeEventListener('keydown', ignoreHeld)
  }, [])
  return button
}

/** Escape closes a window, wherever the focus is. At once: a key that follows a click may be the next thing. */
export const useEscape = (onDone: () => void): void => {
  useLayoutEffect(() => {
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onDone()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [onDone])
}
