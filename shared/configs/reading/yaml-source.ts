import { Composer, type CST, type Document, Lexer, LineCounter, type ParsedNode, Parser } from 'yaml'
import type { Fault } from '../../kernel/errors.ts'
import { findForbiddenCharacters } from './yaml-characters.ts'
import { findTooDeep } from './yaml-depth.ts'

/** A parsed document with what is needed to say where in the text something stands. */
export type YamlSource = {
  readonly document: Document.Parsed<ParsedNode>
  readonly lines: LineCounter
  /** Where a second document begins, which a config file has none of. */
  readonly secondAt: number | undefined
}

const depthMax = 64
/** Names, values, signs, spaces and line ends: a list of 10,000 groups has fewer. Work and memory grow with them, not with the bytes. */
const lexemesMax = 250_000

/** Where an offset of the text stands, counted from 1. */
export const linePosition = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? { line: 1, column: offset + 1 } : { line, column: col }
}

type Tokens = { readonly tokens: readonly CST.Token[]; readonly lines: LineCounter } & { readonly endedAt?: number }

/** As the library's own parser does, but that it ends where there are too many. */
const readTokens = (text: string): Tokens => {
  const lines = new LineCounter()
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let count = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    count += 1
    if (count > lexemesMax) return { tokens, lines, endedAt: parser.offset }
    for (const token of parser.next(lexeme)) tokens.push(token)
  }
  tokens.push(...parser.end())
  return { tokens, lines }
}

const compose = (tokens: readonly CST.Token[], textLength: number) => {
  const composer = new Composer({ schema: 'core', merge: false, stringKeys: true, uniqueKeys: false, prettyErrors: false })
  const documents: Document.Parsed<ParsedNode>[] = []
  const { stackTraceLimit } = Error
  // Each fault is an Error, of which nobody reads the stack: with it, 100,000 of them take four seconds.
  Error.stackTraceLimit = 0
  try {
    for (const document of composer.compose(tokens, true, textLength)) {
      documents.push(document)
      if (documents.length > 1) break
    }
    return documents
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The one document of a YAML text, composed at a bounded cost, or what keeps it from being composed at all. */
export const readYamlSource = (text: string): { readonly source: YamlSource } | { readonly faults: readonly Fault[] } => {
  const characters = findForbiddenCharacters(text)
  if (characters.length > 0) return { faults: characters }
  const { tokens, lines, endedAt } = readTokens(text)
  const refuse = (offset: number, message: string) => ({ faults: [{ ...linePosition(lines, offset), message }] })
  if (endedAt !== undefined) return refuse(endedAt, 'there is too much in it: from here on it is not read')
  const tooDeep = findTooDeep(tokens, depthMax)
  if (tooDeep !== undefined) return refuse(tooDeep, `is nested more than ${depthMax} deep`)
  const [document, second] = compose(tokens, text.length)
  if (document === undefined) throw new Error('the composer made no document')
  return { source: { document, lines, secondAt: second?.range[0] } }
}
