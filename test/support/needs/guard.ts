import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { enterGuard, type Program } from './guarded.ts'

export type Need = {
  /** The missing program, as the end of "This suite …": `needs chromium on the path`. */
  readonly reason: string
  readonly isMet: boolean
  /** The program that may be started inside the guard. */
  readonly program?: Program
  /** True if CI may lack it, such as a privilege that a container does not have. Otherwise a skip fails in CI. */
  readonly isOptional?: boolean
}

type Body = () => void | Promise<void>

/** The count reporter prints these reasons at the end of a run, and fails a run in CI if one is not optional. */
const nameSkipped = (name: string, { reason, isOptional = false }: Need): string => {
  if (process.env.CI && !isOptional) throw new Error(`"${name}" must run in CI: it ${reason}`)
  process.stderr.write(`SKIPPED: "${name}" ${reason}\n`)
  return `${name} (SKIPPED${isOptional ? ', optional' : ''}: ${reason})`
}

/** `describe` if all of `needs` are met. Otherwise the suite is skipped with the reason in its name, and fails in CI. */
export const describeWhere =
  (...needs: readonly Need[]) =>
  (name: string, body: () => void): void => {
    const missing = needs.find(({ isMet }) => !isMet)
    if (missing !== undefined) {
      describe.skip(nameSkipped(name, missing), body)
      return
    }
    describe(name, () => {
      let leave: readonly (() => void)[] = []
      beforeAll(() => {
        leave = needs.flatMap(({ program }) => (program === undefined ? [] : [enterGuard(program)]))
      })
      // The hooks of the suite itself run inside the guard.
      body()
      afterAll(() => {
        for (const end of leave) end()
      })
    })
  }

/** The same for one test. */
export const itWhere =
  (...needs: readonly Need[]) =>
  (name: string, body: Body, timeoutMs?: number): void => {
    const missing = needs.find(({ isMet }) => !isMet)
    if (missing !== undefined) {
      it.skip(nameSkipped(name, missing), () => undefined)
      return
    }
    const inside = async () => {
      const leave = needs.flatMap(({ program }) => (program === undefined ? [] : [enterGuard(program)]))
      try {
        await body()
      } finally {
        for (const end of leave) end()
      }
    }
    it(name, inside, timeoutMs)
  }
