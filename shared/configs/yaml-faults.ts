import { type Document, type ErrorCode, isCollection, isScalar, type LineCounter, type ParsedNode, visit } from 'yaml'
import type { Fault } from '../kernel/errors.ts'

/** A parsed document with what is needed to say where in the text something stands. */
export type YamlSource = { readonly document: Document.Parsed<ParsedNode>; readonly lines: LineCounter }

const clearer: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a second document begins here: a config file holds one, so take the `---` away',
  NON_STRING_KEY: 'a key must be a plain name',
}

/** Where an offset of the text stands, counted from 1. */
export const linePosition = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? { line: 1, column: offset + 1 } : { line, column: col }
}

const findSyntaxFaults = ({ document, lines }: YamlSource): Fault[] =>
  [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    ...linePosition(lines, pos[0]),
    message: clearer[code] ?? message,
  }))

/** The library compares every key with every other: a minute for a file of 100,000. */
const findDuplicateKeys = ({ document, lines }: YamlSource): Fault[] => {
  const faults: Fault[] = []
  visit(document, {
    Map: (_, map) => {
      const firstLines = new Map<string, number>()
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue
        const name = String(key.value)
        const position = linePosition(lines, key.range[0])
        const first = firstLines.get(name)
        if (first === undefined) firstLines.set(name, position.line)
        else faults.push({ ...position, message: `the key "${name}" is there already, in line ${first}` })
      }
    },
  })
  return faults
}

const findAliasFaults = ({ document, lines }: YamlSource): Fault[] => {
  const faults: Fault[] = []
  const anchors = new Set<string>()
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.add(node.anchor)
    },
    Alias: (_, alias, path) => {
      const { source } = alias
      const position = linePosition(lines, alias.range?.[0] ?? 0)
      if (!anchors.has(source)) faults.push({ ...position, message: `the anchor "&${source}" is not set before here` })
      else if (path.some((node) => isCollection(node) && node.anchor === source))
        faults.push({ ...position, message: `"*${source}" stands inside of what it repeats` })
    },
  })
  return faults
}

/** Everything that keeps a document from being read as one plain value, each with its line and column. */
export const findYamlFaults = (source: YamlSource): Fault[] => {
  const syntax = findSyntaxFaults(source)
  return syntax.length > 0 ? syntax : [...findDuplicateKeys(source), ...findAliasFaults(source)]
}
