import { isIP } from 'node:net'
import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import { isShown } from '../../kernel/shown-text.ts'

/** In code points. */
export const displayNameLengthMax = 32

/** What commands take for an email, an address or a playerId: nobody so called could be named in one. */
const isOtherName = (name: string): boolean =>
  name.includes('@') || isIP(name.replace(/\/\d{1,3}$/, '')) !== 0 || isUuid(name.toLowerCase())

/**
 * The name trimmed and in Unicode's composed form; throws AppError `invalid` with the pointer `/displayName` unless it has 1 to 32 characters,
 * all of which can be seen, and is no email, address or id.
 */
export const parseDisplayName = (text: string): string => {
  const name = text.trim().normalize('NFC')
  const isPrintable = isShown(name) && [...name].length <= displayNameLengthMax
  if (isPrintable && !isOtherName(name)) return name
  const message = isPrintable
    ? 'must be no email, address or id, by which people are named besides: leave @ out'
    : `must have 1 to ${displayNameLengthMax} characters that can be seen, at most four marks on each`
  throw new AppError('invalid', 'bad-request', 'The display name is not valid.', {
    errors: [{ pointer: '/displayName', message }],
  })
}

/** The name of an account that was given none: what stands before the `@` of its email, never the domain. */
export const defaultDisplayName = (email: string): string => {
  const name = [...email.slice(0, email.indexOf('@'))].slice(0, displayNameLengthMax).join('')
  return isOtherName(name) ? name.replaceAll(/[.:/]/g, '-') : name
}
