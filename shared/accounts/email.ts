import { AppError } from '../kernel/errors.ts'

/** In characters, of an email that is looked up. */
export const emailLengthMax = 254
/** In bytes of UTF-8, of an account that is made: those that mail can have (RFC 5321, section 4.5.3.1.3), which every store takes. */
export const newEmailBytesMax = 254

const localPart = /^(?!\p{M})[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>@[\]\\]+$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

const hasShape = (email: string): boolean => {
  const [local = '', domain = '', ...rest] = email.split('@')
  return rest.length === 0 && localPart.test(local) && domain.split('.').every((label) => domainLabel.test(label))
}

/** The email trimmed, lower-cased and in Unicode's composed form, or undefined if it is not of the shape `local@domain` or too long. */
export const normalizeEmail = (text: string): string | undefined => {
  if (text.length > 4 * emailLengthMax) return undefined
  const email = text.trim().toLowerCase().normalize('NFC')
  return [...email].length <= emailLengthMax && hasShape(email) ? email : undefined
}

/** What `normalizeEmail` gives; throws AppError `invalid` with the pointer `/email` where it gives nothing. */
export const parseEmail = (text: string): string => {
  const email = normalizeEmail(text)
  if (email !== undefined) return email
  const message = `must be an email like local@domain, at most ${emailLengthMax} characters`
  throw new AppError('invalid', 'bad-request', 'The email is not valid.', { errors: [{ pointer: '/email', message }] })
}

/** Whether an account can be made of an email as `normalizeEmail` gives it; one that is there keeps a longer one. */
export const canBeNewEmail = (email: string): boolean => Buffer.byteLength(email) <= newEmailBytesMax

/** Throws AppError `invalid` with the pointer `/email` where no account can be made of the email. */
export const checkNewEmail = (email: string): void => {
  if (canBeNewEmail(email)) return
  const message = `must have at most ${newEmailBytesMax} bytes in UTF-8`
  throw new AppError('invalid', 'bad-request', 'The email is too long.', { errors: [{ pointer: '/email', message }] })
}
