import { AppError } from '../../shared/kernel/errors.ts'

const surrogateEscape = /\\u[dD][89a-fA-F]/
const loneSurrogate = /\p{Surrogate}/u

/** Half a character can be stored nowhere as it came (RFC 7493, section 2.1). */
const refuseLoneSurrogates = (key: string, value: unknown): unknown => {
  if (loneSurrogate.test(key) || (typeof value === 'string' && loneSurrogate.test(value)))
    throw new AppError('invalid', 'bad-request', 'The body holds a text that is not Unicode: an unpaired surrogate.')
  return value
}

/** The value of a JSON text; throws `invalid` with the place of the fault, never with what stands there. */
export const parseJson = (text: string): unknown => {
  try {
    return surrogateEscape.test(text) ? JSON.parse(text, refuseLoneSurrogates) : JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const position = /at position (\d+)/.exec(error.message)?.[1]
    const place = position === undefined ? '' : `: see character ${Number(position) + 1}`
    throw new AppError('invalid', 'bad-request', `The body is not valid JSON${place}.`)
  }
}
