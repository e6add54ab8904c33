import { domainToASCII, domainToUnicode } from 'node:url'
import { AppError } from '../../kernel/errors.ts'

/** In characters, of an email that is looked up. */
const emailLengthMax = 254
/** In bytes of UTF-8, of an account that is made: those that mail can have (RFC 5321, section 4.5.3.1.3), which every store takes. */
export const newEmailBytesMax = 254

const localPart = /^(?!\p{M})[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>@[\]\\]+$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

const hasShape = (email: string): boolean => {
  const [local = '', domain = '', ...rest] = email.split('@')
  return rest.length === 0 && localPart.test(local) && domain.split('.').every((label) => domainLabel.test(label))
}

const beyondAscii = /[^\0-\x7f]/

/** The email trimmed, lower-cased and in Unicode's composed form, its domain as it was written. */
export const foldEmail = (text: string): string => text.trim().toLowerCase().normalize('NFC')

/** The domain in the one form that mail servers see (UTS 46): `münchen.de` is `xn--mnchen-3ya.de`. Empty for what can be no domain. */
const encodeDomain = (email: string): string => {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (at === -1 || !beyondAscii.test(domain)) return email
  return `${email.slice(0, at)}@${domainToASCII(domain)}`
}

/**
 * The email trimmed, lower-cased, in Unicode's composed form and with its domain in ASCII, or undefined if it is not of the shape
 * `local@domain` or too long. Its length is that of the email as it was written.
 */
export const normalizeEmail = (text: string): string | undefined => {
  if (text.length > 4 * emailLengthMax) return undefined
  const written = foldEmail(text)
  if ([...written].length > emailLengthMax) return undefined
  const email = encodeDomain(written)
  return hasShape(email) ? email : undefined
}

/** The email as a person writes it; undefined where that is the same. */
export const readableEmail = (email: string): string | undefined => {
  if (!email.includes('xn--')) return undefined
  const at = email.lastIndexOf('@')
  const domain = domainToUnicode(email.slice(at + 1)).normalize('NFC')
  const readable = `${email.slice(0, at)}@${domain}`
  return domain === '' || readable === email ? undefined : readable
}

/** Whether a part of an email, in either form, is `wanted`, which is folded. */
export const emailIncludes = (email: string, wanted: string): boolean =>
  email.includes(wanted) || (readableEmail(email)?.includes(wanted) ?? false)

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
