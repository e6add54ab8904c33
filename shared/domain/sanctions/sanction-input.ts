import { AppError } from '../../kernel/errors.ts'
import { readInstantMs } from '../../kernel/formats/instant.ts'
import { hasVisible } from '../../kernel/shown-text.ts'
import { limitMarks } from '../../kernel/tame-text.ts'
import { parseEmail } from '../accounts/email.ts'
import { formatAddressRange, parseAddressRange } from './address-range.ts'
import type { Sanction, SanctionKind } from './sanction.ts'

/** A new sanction: of an account by `email`, or a ban of addresses. */
export type NewSanction = {
  readonly kind: SanctionKind
  readonly email?: string
  readonly address?: string
  readonly reason: string
  readonly note?: string
  /** An instant in the future. */
  readonly until?: string
}

export const reasonLengthMax = 500
export const noteLengthMax = 2000

const broken = (pointer: string, message: string): AppError =>
  new AppError('unprocessable', 'rule-broken', 'The sanction is not valid.', { errors: [{ pointer, message }] })

/** Terminals print these texts, so they have no control characters and no characters that change the text direction. */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** The trimmed text. Throws AppError `invalid` with the pointer unless it has 1 to `charactersMax` printable characters. */
export const parsePrintable = (pointer: string, text: string, charactersMax: number): string => {
  const trimmed = limitMarks(text.trim())
  if (hasVisible(trimmed) && !unfit.test(trimmed) && [...trimmed].length <= charactersMax) return trimmed
  const message = `must have 1 to ${charactersMax} characters, at least one of them visible, and no control characters`
  throw new AppError('invalid', 'bad-request', 'The text is not valid.', { errors: [{ pointer, message }] })
}

const parseUntil = (text: string, nowMs: number): string => {
  const endMs = readInstantMs(text)
  if (endMs === undefined)
    throw new AppError('invalid', 'bad-request', 'The time is not valid.', {
      errors: [{ pointer: '/until', message: 'must be a time such as 2027-01-31T18:00:00Z' }],
    })
  if (endMs <= nowMs) throw broken('/until', `must be in the future; the server time is ${new Date(nowMs).toISOString()}`)
  return new Date(endMs).toISOString()
}

type ParsedSanction = Omit<Sanction, 'id' | 'by' | 'at'>

/** Normalizes the input. Throws AppError `invalid` or `unprocessable` with a pointer to the fault. */
export const parseNewSanction = (input: NewSanction, nowMs: number): ParsedSanction => {
  const { kind, email, address, reason, note, until } = input
  if ((email === undefined) === (address === undefined))
    throw broken('/email', 'is required unless address is given; give only one of them')
  if (address !== undefined && kind !== 'ban') throw broken('/address', 'is only allowed for bans; use email instead')
  return {
    kind,
    ...(email !== undefined && { email: parseEmail(email) }),
    ...(address !== undefined && { address: formatAddressRange(parseAddressRange(address)) }),
    reason: parsePrintable('/reason', reason, reasonLengthMax),
    ...(note !== undefined && { note: parsePrintable('/note', note, noteLengthMax) }),
    ...(until !== undefined && { until: parseUntil(until, nowMs) }),
  }
}
