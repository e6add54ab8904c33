/** Whether this browser has what the game is made with: Chrome has since version 100, Firefox since 97, Safari since 15.4. */
export const canRun = (): boolean =>
  'at' in Array.prototype && typeof AbortSignal === 'function' && 'throwIfAborted' in AbortSignal.prototype
