/** Replies that are waited for, by the number that a request and its reply bear. */
export type PendingReplies<T> = {
  wait(id: number): Promise<T>
  /** Without effect for a number that nobody waits for. */
  resolve(id: number, value: T): void
  reject(id: number, error: Error): void
  rejectAll(error: Error): void
}

type Waiting<T> = { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void }

export const createPendingReplies = <T>(): PendingReplies<T> => {
  const waiting = new Map<number, Waiting<T>>()
  const take = (id: number): Waiting<T> | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  return {
    wait: (id) => new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject })),
    resolve: (id, value) => take(id)?.resolve(value),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll: (error) => {
      for (const id of [...waiting.keys()]) take(id)?.reject(error)
    },
  }
}
