/** Programs for some suites that are not part of Node. */
export type Program = 'redis' | 'dynamodb' | 'chromium' | 'strace'

const open = new Map<Program, number>()

/** Marks later tests as inside a guard for `program`; returns the function that ends it. */
export const enterGuard = (program: Program): (() => void) => {
  open.set(program, (open.get(program) ?? 0) + 1)
  return () => open.set(program, (open.get(program) ?? 1) - 1)
}

/**
 * Throws when a suite starts `program` outside of its guard: if the program is missing, such a suite would fail instead of being
 * skipped. Benches, campaigns and screenshots have no guard.
 */
export const expectGuarded = (program: Program, guard: string): void => {
  if (process.env.JEST_WORKER_ID === undefined || (open.get(program) ?? 0) > 0) return
  throw new Error(`A suite may start ${program} only inside of ${guard}, so that it is skipped where ${program} is missing.`)
}
