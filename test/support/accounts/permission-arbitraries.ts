import fc from 'fast-check'

const part = fc.constantFrom('a', 'b', 'c')

/** Permissions over a small alphabet, so that rules and questions match often. */
export const permission = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))

const pattern = fc.oneof(
  { weight: 1, arbitrary: fc.constant('*') },
  { weight: 3, arbitrary: permission },
  { weight: 4, arbitrary: permission.map((prefix) => `${prefix}.*`) },
)

/** Rules as text, with twice as many grants as denials. */
export const rule = fc.tuple(fc.constantFrom('', '', '-'), pattern).map(([sign, text]) => `${sign}${text}`)

/** A reference implementation of patterns, as simple as possible. */
export const matches = (text: string, asked: string): boolean =>
  text === '*' || (text.endsWith('.*') ? asked.startsWith(text.slice(0, -1)) : asked === text)
