import { isIP } from 'node:net'
import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import { isShown } from '../../kernel/shown-text.ts'

/** In code points. */
export const displayNameLengthMax = 32

/** Emails, addresses and playerIds: commands would not recognise a player with such a name. */
const isOtherName = (name: string): boolean =>
  name.includes('@') || isIP(name.replace(/\/\d{1,3}$/, '')) !== 0 || isUuid(name.toLowerCase())

/**
 * The name trimmed and in Unicode's composed form. Throws AppError `invalid` with the pointer `/displayName` unless it has 1 to 32 visible
 * characters and is not an email, an address or an id.
 */
export const parseDisplayName = (text: string): string => {
  const name = text.trim().normalize('NFC')
  const isPrintable = isShown(name) && [...name].length <= displayNameLengthMax
  if (isPrintable && !isOtherName(name)) return name
  const message = isPrintable
    ? 'must not be an email, an address or an id: leave @ out'
    : `must have 1 to ${displayNameLengthMax} visible characters, with at most four marks on each`
  throw new AppError('invalid', 'bad-request', 'The display name is not valid.', {
    errors: [{ pointer: '/displayName', message }],
  })
}

/** The default name of an account: the local part of its email, never the domain. */
export const defaultDisplayName = (email: string): string => {
  const name = [...email.slice(0, email.indexOf('@'))].slice(0, displayNameLengthMax).join('')
  return isOtherName(name) ? name.replaceAll(/[.:/]/g, '-') : name
}
