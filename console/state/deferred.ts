import { useEffect, useState } from 'preact/hooks'

/** The value of the last frame. The browser paints what uses `value` itself first, and costly parts one frame later. */
export const useDeferred = <T>(value: T): T => {
  const [shown, setShown] = useState(value)
  useEffect(() => setShown(() => value), [value])
  return shown
}
