import { type CST, Lexer, LineCounter, Parser } from 'yaml'

/** How deep collections may stand inside of each other. What reads them, here and in the library, calls itself for each level. */
const depthMax = 64

const listInner = (token: CST.Token): (CST.Token | null | undefined)[] => {
  if (token.type === 'document') return [token.value]
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : []
}

/** Where the first token stands that is inside of too many others; does not recurse. */
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
  /** Where and why the text is read no further. */
  | { readonly endedAt: number; readonly reason: string }
)

/**
 * The tokens of a YAML text that is nested at most 64 deep and has at most `lexemesMax` names, values, signs, spaces and line ends.
 * The library's parser closes open collections by calling itself. So its stack is looked at after each lexeme, before it is long.
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
    if (count > lexemesMax)
      return { lines, endedAt: parser.offset, reason: 'there is too much in it: from here on it is not read' }
    for (const token of parser.next(lexeme)) tokens.push(token)
    const beyond = parser.stack[depthMax + 1]
    if (beyond) return tooDeep(beyond.offset)
  }
  tokens.push(...parser.end())
  // A key that is a collection is wrapped when its colon comes, which the parser's stack does not show.
  const offset = findTooDeep(tokens)
  return offset === undefined ? { lines, tokens } : tooDeep(offset)
}
