/** A wait for the first connection, which succeeds or fails once. */
export type FirstAttempt = {
  isAwaited(): boolean
  came(): void
  failed(error: unknown): void
  /** Rejects with the signal's reason if it aborts first, after it has called `giveUp`. */
  wait(signal: AbortSignal | undefined, giveUp: () => void): Promise<void>
}

export const createFirstAttempt = (): FirstAttempt => {
  let settle: { resolve(): void; reject(error: unknown): void } | undefined
  // It may fail before `wait` is called.
  let early: { readonly error: unknown } | undefined
  const take = () => {
    const taken = settle
    settle = undefined
    return taken
  }
  return {
    isAwaited: () => settle !== undefined,
    came: () => take()?.resolve(),
    failed: (error) => {
      if (settle === undefined) early = { error }
      else take()?.reject(error)
    },
    wait: (signal, giveUp) =>
      new Promise<void>((resolve, reject) => {
        if (early !== undefined) return reject(early.error)
        const abort = () => {
          const taken = take()
          giveUp()
          taken?.reject(signal?.reason)
        }
        const end = () => signal?.removeEventListener('abort', abort)
        settle = {
          resolve: () => {
            end()
            resolve()
          },
          reject: (error) => {
            end()
            reject(error)
          },
        }
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted) abort()
      }),
  }
}
