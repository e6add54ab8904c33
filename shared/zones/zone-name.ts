import { AppError } from '../kernel/errors.ts'

/** In code points. */
const nameLengthMax = 64

/** Control characters, halves of characters, ends of lines, and what turns the direction of the text around it. */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const visible = /[^\s\p{M}\p{Default_Ignorable_Code_Point}]/u

/** The name trimmed; throws AppError `invalid` with the pointer `/name` unless it has 1 to 64 characters, none of control or direction, and one that can be seen. */
export const parseZoneName = (text: string): string => {
  const name = text.trim()
  if (visible.test(name) && !unfit.test(name) && [...name].length <= nameLengthMax) return name
  const message = `must have 1 to ${nameLengthMax} characters, one of them visible, without control characters`
  throw new AppError('invalid', 'bad-request', 'The name of the zone is not valid.', { errors: [{ pointer: '/name', message }] })
}
