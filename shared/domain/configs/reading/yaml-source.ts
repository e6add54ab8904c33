import type { Document, LineCounter, ParsedNode } from 'yaml'
import type { Fault } from '../../../kernel/errors.ts'
import { composeYaml } from '../../../platform/yaml/yaml-documents.ts'
import { readYamlTokens } from '../../../platform/yaml/yaml-tokens.ts'

/** Characters that YAML 1.2 (section 5.1) does not allow: control characters except tab and line ends, lone surrogates, U+FFFE and U+FFFF. */
const forbidden = /(?![\t\n\r\u0085])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu
const faultsMax = 100

/** The first hundred characters that YAML does not allow, each with line and column from 1. */
const findForbiddenCharacters = (text: string): Fault[] => {
  const faults: Fault[] = []
  let [line, lineStart] = [1, 0]
  for (const match of text.matchAll(forbidden)) {
    for (let end = text.indexOf('\n', lineStart); end !== -1 && end < match.index; end = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = end + 1
    }
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const message = `the character U+${code} is not allowed in YAML: remove it, or write it as an escape in double quotes`
    faults.push({ line, column: match.index - lineStart + 1, message })
    if (faults.length >= faultsMax) break
  }
  return faults
}

/** A parsed document with the data needed to find positions in its text. */
export type YamlSource = {
  readonly document: Document.Parsed<ParsedNode>
  readonly lines: LineCounter
  /** The offset of a second document, which a config file must not have. */
  readonly secondAt: number | undefined
}

/** Names, values, signs, spaces and line ends: a list of 10,000 groups has fewer. They determine the cost in time and memory, not the bytes. */
const lexemesMax = 250_000

/** The position of an offset in the text, from 1. */
export const linePosition = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? { line: 1, column: offset + 1 } : { line, column: col }
}

/** The document of a YAML text, composed at a bounded cost, or the faults that prevent it. */
export const readYamlSource = (text: string): { readonly source: YamlSource } | { readonly faults: readonly Fault[] } => {
  const characters = findForbiddenCharacters(text)
  if (characters.length > 0) return { faults: characters }
  const read = readYamlTokens(text, lexemesMax)
  const { lines } = read
  if ('reason' in read) return { faults: [{ ...linePosition(lines, read.endedAt), message: read.reason }] }
  const options = { schema: 'core', merge: false, stringKeys: true, uniqueKeys: false } as const
  const [document, second] = composeYaml(read.tokens, text.length, options)
  return { source: { document, lines, secondAt: second?.range[0] } }
}
