/** A promise with its two functions. An unhandled rejection does not end the process. */
export type Deferred<T = void> = {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export const createDeferred = <T = void>(): Deferred<T> => {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
