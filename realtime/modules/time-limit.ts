import { createContext, Script } from 'node:vm'

/**
 * How work ended.
 * - finished: by itself
 * - cut: the limit ended it
 * - stalled: the limit ended it, but the process had little processor time, for example because the machine was paused or overloaded
 */
export type TimedOutcome = 'finished' | 'cut' | 'stalled'

/** Runs `work`, and ends it after `limitMs`. Work that was ended has not run its `finally` blocks either. */
export type TimeLimit = (work: () => void, limitMs: number) => TimedOutcome

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const nothing = (): void => {}

/**
 * Code that runs until the limit uses at least this share of it as processor time, also on a busy machine. Node 20 has the processor time
 * of the process only, so work of other threads counts too.
 */
const ownShare = 0.1

/** Processor time of this process, in milliseconds. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The only way of Node to end synchronous code: the timeout of a script. Each call costs about 0.08 ms. */
export const createTimeLimit = (): TimeLimit => {
  const slot = { run: nothing }
  const context = createContext(slot)
  const script = new Script('run()')
  return (work, limitMs) => {
    slot.run = work
    const startedMs = processorMs()
    try {
      script.runInContext(context, { timeout: limitMs })
      return 'finished'
    } catch (error) {
      if (!isTimeout(error)) throw error
      return processorMs() - startedMs < ownShare * limitMs ? 'stalled' : 'cut'
    } finally {
      slot.run = nothing
    }
  }
}

/**
 * Calls `run` under the limit. Returns its value, or undefined if the limit ended it. Throws what `run` throws. Calls it once more if the
 * process stalled.
 */
export const callWithin = <T>(limit: TimeLimit, run: () => T, limitMs: number): { readonly value: T } | undefined => {
  let returned: { readonly value: T } | undefined
  let thrown: { readonly error: unknown } | undefined
  const attempt = (): TimedOutcome =>
    limit(() => {
      try {
        returned = { value: run() }
      } catch (error) {
        thrown = { error }
      }
    }, limitMs)
  const first = attempt()
  const outcome = first === 'stalled' ? attempt() : first
  if (thrown !== undefined) throw (thrown as { readonly error: unknown }).error
  return outcome === 'finished' ? returned : undefined
}
