/** Pending answers, by the number that a request and its answer share. */
export type Pending<T> = {
  /** Rejects with the signal's reason when it aborts. The request may still be done. */
  wait(id: number, signal?: AbortSignal): Promise<T>
  /** Does nothing for an unknown number. */
  resolve(id: number, value: T): void
  reject(id: number, error: Error): void
  rejectAll(error: Error): void
  /** The number of pending answers. */
  count(): number
  /** The number that has waited longest. */
  oldest(): number | undefined
}

type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void }

export const createPending = <T>(): Pending<T> => {
  const waiting = new Map<number, Waiting<T>>()
  const take = (id: number): Waiting<T> | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  return {
    wait: (id, signal) =>
      new Promise<T>((resolve, reject) => {
        const abort = () => take(id)?.reject(signal?.reason)
        const settle =
          <V>(act: (value: V) => void) =>
          (value: V) => {
            signal?.removeEventListener('abort', abort)
            act(value)
          }
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted) abort()
      }),
    resolve: (id, value) => take(id)?.resolve(value),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll: (error) => {
      for (const id of [...waiting.keys()]) take(id)?.reject(error)
    },
    count: () => waiting.size,
    oldest: () => waiting.keys().next().value,
  }
}
