/** A promise with its two functions. An unhandled rejection does not end the process. */
export type Deferred = {
  readonly promise: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

export const createDeferred = (): Deferred => {
  let resolve: () => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  promise.catch(() => undefined)
  return { promise, resolve: () => resolve(), reject: (error) => reject(error) }
}
