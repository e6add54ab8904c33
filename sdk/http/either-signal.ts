/** The same as `AbortSignal.any` for two. Browsers before 2024 do not have it. */
const follow = (signals: readonly AbortSignal[]): AbortSignal => {
  const either = new AbortController()
  for (const signal of signals) {
    const abort = () => either.abort(signal.reason)
    // Removed when either ends.
    signal.addEventListener('abort', abort, { once: true, signal: either.signal })
    if (signal.aborted) abort()
  }
  return either.signal
}

/** A signal that aborts when one of two does, with its reason. The first may be absent. */
export const eitherSignal = (first: AbortSignal | undefined, second: AbortSignal): AbortSignal =>
  first === undefined ? second : (AbortSignal.any?.([first, second]) ?? follow([first, second]))
