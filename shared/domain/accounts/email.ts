import { domainToASCII, domainToUnicode } from 'node:url'
import { AppError } from '../../kernel/errors.ts'

/** In characters, for an email in a query. */
const emailLengthMax = 254
/** In bytes of UTF-8, for a new account: the limit of mail (RFC 5321, section 4.5.3.1.3), which every store accepts. */
export const newEmailBytesMax = 254

const localPart = /^(?!\p{M})[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>@[\]\\]+$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

const hasShape = (email: string): boolean => {
  const [local = '', domain = '', ...rest] = email.split('@')
  return rest.length === 0 && localPart.test(local) && domain.split('.').every((label) => domainLabel.test(label))
}

const beyondAscii = /[^\0-\x7f]/

/** The email trimmed, lower-cased and in Unicode's composed form, with its domain as written. */
export const foldEmail = (text: string): string => text.trim().toLowerCase().normalize('NFC')

/** The domain in the form that mail servers see (UTS 46): `münchen.de` becomes `xn--mnchen-3ya.de`. Empty if it cannot be a domain. */
const encodeDomain = (email: string): string => {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (at === -1 || !beyondAscii.test(domain)) return email
  return `${email.slice(0, at)}@${domainToASCII(domain)}`
}

/**
 * The email trimmed, lower-cased, in Unicode's composed form and with its domain in ASCII. Undefined if it does not have the shape
 * `local@domain` or is too long; the length is that of the text as written.
 */
export const normalizeEmail = (text: string): string | undefined => {
  if (text.length > 4 * emailLengthMax) return undefined
  const written = foldEmail(text)
  if ([...written].length > emailLengthMax) return undefined
  const email = encodeDomain(written)
  return hasShape(email) ? email : undefined
}

/** The email with its domain in Unicode; undefined if that changes nothing. */
export const readableEmail = (email: string): string | undefined => {
  if (!email.includes('xn--')) return undefined
  const at = email.lastIndexOf('@')
  const domain = domainToUnicode(email.slice(at + 1)).normalize('NFC')
  const readable = `${email.slice(0, at)}@${domain}`
  return domain === '' || readable === email ? undefined : readable
}

/** Whether the email contains `text`, in either form of its domain; `text` is folded. */
export const emailIncludes = (email: string, text: string): boolean =>
  email.includes(text) || (readableEmail(email)?.includes(text) ?? false)

/** The result of `normalizeEmail`; throws AppError `invalid` with the pointer `/email` if that is undefined. */
export const parseEmail = (text: string): string => {
  const email = normalizeEmail(text)
  if (email !== undefined) return email
  const message = `must be an email like local@domain, at most ${emailLengthMax} characters`
  throw new AppError('invalid', 'bad-request', 'The email is not valid.', { errors: [{ pointer: '/email', message }] })
}

/** Whether a new account may have this normalized email. Existing accounts keep longer ones. */
export const canBeNewEmail = (email: string): boolean => Buffer.byteLength(email) <= newEmailBytesMax

/** Throws AppError `invalid` with the pointer `/email` if a new account may not have the email. */
export const checkNewEmail = (email: string): void => {
  if (canBeNewEmail(email)) return
  const message = `must have at most ${newEmailBytesMax} bytes in UTF-8`
  throw new AppError('invalid', 'bad-request', 'The email is too long.', { errors: [{ pointer: '/email', message }] })
}
