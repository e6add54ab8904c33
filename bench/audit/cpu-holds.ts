import { readFileSync } from 'node:fs'

/** Milliseconds that the main thread has been on a core, from Linux: what other work on the machine takes does not count. */
const onCoreMs = (): number => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** Runs `work`; what it answered, how long it took, and the longest time in milliseconds that the loop computed without a turn for others. */
export const watchCpuHolds = async <T>(work: () => Promise<T>) => {
  let isWatching = true
  let longestMs = 0
  let last = onCoreMs()
  const turn = (): void => {
    longestMs = Math.max(longestMs, onCoreMs() - last)
    last = onCoreMs()
    if (isWatching) setImmediate(turn)
  }
  setImmediate(turn)
  const begun = performance.now()
  const result = await work()
  isWatching = false
  return { result, tookMs: performance.now() - begun, longestMs }
}
