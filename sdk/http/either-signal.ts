/** What `AbortSignal.any` does for two; browsers of before 2024 have none. */
const follow = (signals: readonly AbortSignal[]): AbortSignal => {
  const either = new AbortController()
  for (const signal of signals) {
    const abort = () => either.abort(signal.reason)
    // Goes when either ends.
    signal.addEventListener('abort', abort, { once: true, signal: either.signal })
    if (signal.aborted) abort()
  }
  return either.signal
}

/** A signal that is aborted when one of two is, with its reason; the first may be absent. */
export const eitherSignal = (first: AbortSignal | undefined, second: AbortSignal): AbortSignal =>
  first === undefined ? second : (AbortSignal.any?.([first, second]) ?? follow([first, second]))
