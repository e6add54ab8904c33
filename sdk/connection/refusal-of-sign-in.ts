import { GatehouseError, ProblemError, UnreachableError } from '../errors.ts'
import type { SessionEnd } from './decide-next.ts'

/** Why there is no coming back, of what a sign-in threw; undefined where another attempt may go otherwise. */
export const refusalOfSignIn = (error: unknown): SessionEnd | undefined => {
  if (error instanceof UnreachableError) return undefined
  if (error instanceof ProblemError && (error.problem.status >= 500 || error.problem.status === 429)) return undefined
  const reason = error instanceof GatehouseError ? error.type.replace(/^\/problems\//, '') : 'sign-in-failed'
  return { reason, text: error instanceof Error ? error.message : String(error) }
}
