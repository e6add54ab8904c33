/** Whether this browser supports the game: Chrome from 110, Firefox from 115, Safari from 16. */
export const canRun = (): boolean =>
  'toSorted' in Array.prototype && typeof AbortSignal === 'function' && 'throwIfAborted' in AbortSignal.prototype
