import { AppError } from '../../../kernel/errors.ts'

/** A requested grant of a group or one permission, everywhere or in one world or zone; `until` is an instant. */
export type NewGrant = {
  readonly group?: string
  readonly permission?: string
  readonly world?: string
  readonly zone?: string
  readonly until?: string
  readonly reason?: string
}

/** `unprocessable` `rule-broken` with a pointer into the body. */
export const grantFault = (pointer: string, message: string): AppError =>
  new AppError('unprocessable', 'rule-broken', 'This grant is not valid.', { errors: [{ pointer, message }] })
