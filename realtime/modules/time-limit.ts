import { createContext, Script } from 'node:vm'

/** Runs `work`, and ends it after `limitMs`. Returns false if it was ended: then its `finally` blocks have not run either. */
export type TimeLimit = (work: () => void, limitMs: number) => boolean

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const nothing = (): void => {}

/** The only way of Node to end synchronous code: the timeout of a script. Each call costs about 0.08 ms. */
export const createTimeLimit = (): TimeLimit => {
  const slot = { run: nothing }
  const context = createContext(slot)
  const script = new Script('run()')
  return (work, limitMs) => {
    slot.run = work
    try {
      script.runInContext(context, { timeout: limitMs })
      return true
    } catch (error) {
      if (isTimeout(error)) return false
      throw error
    } finally {
      slot.run = nothing
    }
  }
}
