import { AppError } from '../../shared/kernel/errors.ts'
import type { RequestFacts } from '../http/route.ts'

/** The token that authenticated the request. Throws `unauthenticated` without one. */
export const bearerOf = ({ token }: RequestFacts): string => {
  if (token !== undefined) return token
  throw new AppError('unauthenticated', 'not-signed-in', 'Send `Authorization: Bearer <token>` with a token from a sign-in.')
}
