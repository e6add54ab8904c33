import { AppError } from '../../shared/kernel/errors.ts'

const surrogateEscape = /\\u[dD][89a-fA-F]/
const loneSurrogate = /\p{Surrogate}/u

/** Walks without recursion: a body may be nested deeper than the stack. */
const holdsLoneSurrogate = (root: unknown): boolean => {
  const values = [root]
  for (const value of values) {
    if (typeof value === 'string' && loneSurrogate.test(value)) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (loneSurrogate.test(key)) return true
      values.push(inner)
    }
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

/**
 * The value of a JSON text; throws `invalid` with the place of the fault, never with what stands there, and for half a
 * character, which can be stored nowhere as it came (RFC 7493, section 2.1).
 */
export const parseJson = (text: string): unknown => {
  const value = parse(text)
  if (surrogateEscape.test(text) && holdsLoneSurrogate(value))
    throw new AppError('invalid', 'bad-request', 'The body holds a text that is not Unicode: an unpaired surrogate.')
  return value
}
