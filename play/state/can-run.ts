/** Whether this browser has what the game is made with: Chrome has since version 110, Firefox since 115, Safari since 16. */
export const canRun = (): boolean =>
  'toSorted' in Array.prototype && typeof AbortSignal === 'function' && 'throwIfAborted' in AbortSignal.prototype
