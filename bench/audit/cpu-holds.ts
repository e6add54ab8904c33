import { readFileSync } from 'node:fs'

/** Milliseconds of the main thread on a core, from Linux: other work on the machine does not count. */
const onCoreMs = (): number => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** Runs `work`; returns its result, its duration, and the longest computation of the loop without a pause, in milliseconds. */
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
