import { type ErrorCode, isCollection, isScalar, visit } from 'yaml'
import type { Fault } from '../../../kernel/errors.ts'
import { linePosition, type YamlSource } from './yaml-source.ts'

/** Replaces messages that repeat the text, which could be a password without quotes. */
const clearer: Partial<Record<ErrorCode, string>> = {
  NON_STRING_KEY: 'a key must be a plain name',
  TAG_RESOLVE_FAILED: 'tags are not supported: put quotes around a text that begins with !',
  BAD_DIRECTIVE: 'this directive is not supported: put quotes around a text that begins with %',
  BAD_DQ_ESCAPE: 'a backslash in double quotes must begin an escape: write it twice, or use single quotes',
}

/** The message without the text that the library adds after a colon. */
const withoutText = (code: ErrorCode, message: string): string => {
  if (code === 'BAD_ALIAS' && message.startsWith('Alias cannot be an empty string')) return 'a lone star needs quotes: "*"'
  return code === 'UNEXPECTED_TOKEN' ? (message.split(': ')[0] ?? message) : message
}

const findSyntaxFaults = ({ document, lines, secondAt }: YamlSource): Fault[] => {
  const faults = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    ...linePosition(lines, pos[0]),
    message: clearer[code] ?? withoutText(code, message),
  }))
  const message = 'a second document begins here: a config file has only one, so remove the `---`'
  return secondAt === undefined ? faults : [...faults, { ...linePosition(lines, secondAt), message }]
}

const shown = (name: string): string => (name.length > 64 ? `${name.slice(0, 64)}…` : name)

/** The library compares every key with every other, which takes a minute for a file of 100,000 keys. */
const findDuplicateKeys = ({ document, lines }: YamlSource): Fault[] => {
  const faults: Fault[] = []
  visit(document, {
    Map: (_, map) => {
      const firsts = new Map<string, number>()
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue
        const [name, offset] = [String(key.value), key.range[0]]
        const first = firsts.get(name)
        if (first === undefined) firsts.set(name, offset)
        else {
          const message = `the key "${shown(name)}" is already in line ${linePosition(lines, first).line}`
          faults.push({ ...linePosition(lines, offset), message })
        }
      }
    },
  })
  return faults
}

/** The library searches all previous nodes for each alias: 15,000 take six seconds. */
const aliasesMax = 1000

const findAliasFaults = ({ document, lines }: YamlSource): Fault[] => {
  const faults: Fault[] = []
  const anchors = new Set<string>()
  let count = 0
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.add(node.anchor)
    },
    Alias: (_, alias, path) => {
      const { source } = alias
      const position = linePosition(lines, alias.range?.[0] ?? 0)
      count += 1
      if (count > aliasesMax) {
        faults.push({ ...position, message: `there are more than ${aliasesMax} aliases: write the values out` })
        return visit.BREAK
      }
      if (!anchors.has(source))
        faults.push({ ...position, message: 'its anchor is not defined before it: put quotes around a text that begins with *' })
      else if (path.some((node) => isCollection(node) && node.anchor === source))
        faults.push({ ...position, message: 'this alias is inside its own anchor' })
      return undefined
    },
  })
  return faults
}

/** Everything that prevents reading a document as one plain value, each with line and column and without any content. */
export const findYamlFaults = (source: YamlSource): Fault[] => {
  const syntax = findSyntaxFaults(source)
  return syntax.length > 0 ? syntax : [...findDuplicateKeys(source), ...findAliasFaults(source)]
}
