import { type CST, Lexer, LineCounter, Parser } from 'yaml'

/** The maximum nesting of collections. Readers, here and in the library, are recursive. */
const depthMax = 64

const listInner = (token: CST.Token): (CST.Token | null | undefined)[] => {
  if (token.type === 'document') return [token.value]
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []
}

/** The offset of the first token that is nested too deep. Does not recurse. */
const findTooDeep = (tokens: readonly CST.Token[]): number | undefined => {
  const visits = tokens.map((token) => ({ token, depth: 0 })).reverse()
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { token, depth } = visit
    if (depth > depthMax) return token.offset
    for (const inner of listInner(token).reverse()) if (inner) visits.push({ token: inner, depth: depth + 1 })
  }
  return undefined
}

export type YamlTokens = { readonly lines: LineCounter } & (
  | { readonly tokens: readonly CST.Token[] }
  /** Where and why reading stopped. */
  | { readonly endedAt: number; readonly reason: string }
)

/**
 * The tokens of a YAML text with at most 64 levels and `lexemesMax` names, values, signs, spaces and line ends. The library's parser
 * closes collections recursively. So its stack is checked after each lexeme, before it gets too long.
 */
export const readYamlTokens = (text: string, lexemesMax = Number.POSITIVE_INFINITY): YamlTokens => {
  const lines = new LineCounter()
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  const tooDeep = (endedAt: number) => ({ lines, endedAt, reason: `is nested more than ${depthMax} deep` })
  let count = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    count += 1
    if (count > lexemesMax) return { lines, endedAt: parser.offset, reason: 'the text is too large: it is not read from here on' }
    for (const token of parser.next(lexeme)) tokens.push(token)
    const beyond = parser.stack[depthMax + 1]
    if (beyond) return tooDeep(beyond.offset)
  }
  tokens.push(...parser.end())
  // The parser wraps a key that is a collection when it reads the colon, which its stack does not show.
  const offset = findTooDeep(tokens)
  return offset === undefined ? { lines, tokens } : tooDeep(offset)
}
