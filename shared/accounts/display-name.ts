import { AppError } from '../kernel/errors.ts'

/** In code points. */
export const displayNameLengthMax = 32

const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u
const visible = /[^\s\p{M}\p{Default_Ignorable_Code_Point}]/u

/** The name trimmed and in Unicode's composed form; throws AppError `invalid` with the pointer `/displayName` unless it has 1 to 32 characters, all of them printable. */
export const parseDisplayName = (text: string): string => {
  const name = text.trim().normalize('NFC')
  if (visible.test(name) && !unprintable.test(name) && [...name].length <= displayNameLengthMax) return name
  const message = `must have 1 to ${displayNameLengthMax} characters that can be seen, without control or format characters`
  throw new AppError('invalid', 'bad-request', 'The display name is not valid.', {
    errors: [{ pointer: '/displayName', message }],
  })
}

/** The name of an account that was given none: what stands before the `@` of its email, never the domain. */
export const defaultDisplayName = (email: string): string =>
  [...email.slice(0, email.indexOf('@'))].slice(0, displayNameLengthMax).join('')
