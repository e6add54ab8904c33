import { AppError } from '../../../shared/kernel/errors.ts'
import { exceedsJsonTokens } from '../../../shared/kernel/exceeds-json-tokens.ts'

const surrogateEscape = /\\u[dD][89a-fA-F]/
const highEscape = /\\u[dD][89abAB][0-9a-fA-F]{2}/y
const lowEscape = /\\u[dD][c-fC-F][0-9a-fA-F]{2}/y

const standsAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Whether a JSON text contains half a character as an escape. It goes from backslash to backslash, not through the value. */
const spellsLoneSurrogate = (text: string): boolean => {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    if (standsAt(lowEscape, text, at)) return true
    if (!standsAt(highEscape, text, at)) at += 2
    else if (standsAt(lowEscape, text, at + 6)) at += 12
    else return true
  }
  return false
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const position = /at position (\d+)/.exec(error.message)?.[1]
    const place = position === undefined ? '' : `: see character ${Number(position) + 1}`
    throw new AppError('invalid', 'bad-request', `The body is not valid JSON${place}.`)
  }
}

/** Brackets, colons and commas: 1.5 times as many as 4,096 columns of a zone have. */
const tokensMax = 30_000

/**
 * The value of a JSON text. Throws `invalid` with the position of the fault, never with the content. Half a character is a
 * fault too, because no store can keep it unchanged (RFC 7493, section 2.1).
 */
export const parseJson = (text: string): unknown => {
  if (exceedsJsonTokens(text, tokensMax))
    throw new AppError(
      'invalid',
      'bad-request',
      `The body has more than ${tokensMax} brackets, colons and commas. Send less at once.`,
    )
  const value = parse(text)
  if (surrogateEscape.test(text) && spellsLoneSurrogate(text))
    throw new AppError('invalid', 'bad-request', 'The body contains a text that is not Unicode: an unpaired surrogate.')
  return value
}
