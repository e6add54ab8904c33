import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type ParsedNode,
  visit,
  type YAMLMap,
} from 'yaml'
import { unknownKeyMessage } from '../../../kernel/describe-fault.ts'
import type { Fault } from '../../../kernel/errors.ts'
import type { ParseResult } from '../../../kernel/schema.ts'
import { composeYaml } from '../../../platform/yaml/yaml-documents.ts'
import { readYamlTokens } from '../../../platform/yaml/yaml-tokens.ts'
import { type ConfigFile, noOthers, type OtherConfigs } from '../declare/config-file.ts'
import { configBytesMax } from '../texts/config-files.ts'

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
type YamlSource = {
  readonly document: Document.Parsed<ParsedNode>
  readonly lines: LineCounter
  /** The offset of a second document, which a config file must not have. */
  readonly secondAt: number | undefined
}

/** Names, values, signs, spaces and line ends: a list of 10,000 groups has fewer. They determine the cost in time and memory, not the bytes. */
const lexemesMax = 250_000

/** The position of an offset in the text, from 1. */
const linePosition = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? { line: 1, column: offset + 1 } : { line, column: col }
}

/** The document of a YAML text, composed at a bounded cost, or the faults that prevent it. */
const readYamlSource = (text: string): { readonly source: YamlSource } | { readonly faults: readonly Fault[] } => {
  const characters = findForbiddenCharacters(text)
  if (characters.length > 0) return { faults: characters }
  const read = readYamlTokens(text, lexemesMax)
  const { lines } = read
  if ('reason' in read) return { faults: [{ ...linePosition(lines, read.endedAt), message: read.reason }] }
  const options = { schema: 'core', merge: false, stringKeys: true, uniqueKeys: false } as const
  const [document, second] = composeYaml(read.tokens, text.length, options)
  return { source: { document, lines, secondAt: second?.range[0] } }
}

/** Values that aliases may add to a text. Hand-written lists of rules reach a few hundred. */
const repeatedMax = 10_000

/**
 * The position, from 1, of the alias by which a text expands to more than `repeatedMax` values; undefined if there is none. No alias of the
 * text may be inside its own anchor. The cost is one pass over the text.
 */
const findTooMuchRepeated = ({ document, lines }: YamlSource): { line: number; column: number } | undefined => {
  const sizes = new Map<string, number>()
  let repeated = 0
  let at: number | undefined
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      const size = sizes.get(node.source) ?? 1
      repeated += size
      if (repeated > repeatedMax) at ??= node.range?.[0]
      return size
    }
    const inner = isMap(node) ? node.items.map(({ value }) => value) : isSeq(node) ? node.items : []
    const size = inner.reduce<number>((sum, one) => sum + sizeOf(one), 1)
    const anchor = node !== null && typeof node === 'object' && 'anchor' in node ? node.anchor : undefined
    if (typeof anchor === 'string') sizes.set(anchor, size)
    return size
  }
  sizeOf(document.contents)
  return repeated > repeatedMax ? linePosition(lines, at ?? 0) : undefined
}

/** Replaces messages that repeat text of the file. That text could be a password. */
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
const listedAliasesMax = 1000

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
      if (count > listedAliasesMax) {
        faults.push({ ...position, message: `there are more than ${listedAliasesMax} aliases: write the values out` })
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
const findYamlFaults = (source: YamlSource): Fault[] => {
  const syntax = findSyntaxFaults(source)
  return syntax.length > 0 ? syntax : [...findDuplicateKeys(source), ...findAliasFaults(source)]
}

/** The keys of a JSON Pointer (RFC 6901). */
const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

type Step = { readonly node: unknown; readonly offset: number }

const listSteps = (map: YAMLMap): Map<string, Step> =>
  new Map(
    map.items.flatMap(({ key, value }): [string, Step][] =>
      isScalar(key) && key.range ? [[String(key.value), { node: value, offset: key.range[0] }]] : [],
    ),
  )

/** The target of each alias: the last anchor with its name. The library searches the whole document for each. */
const listAliased = ({ document }: YamlSource): Map<Alias, Node> => {
  const [anchored, aliased] = [new Map<string, Node>(), new Map<Alias, Node>()]
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
    },
    Alias: (_, alias) => {
      const node = anchored.get(alias.source)
      if (node) aliased.set(alias, node)
    },
  })
  return aliased
}

/**
 * Finds line and column, from 1, of a JSON Pointer: of the key in a mapping, or of the item in a list. If the text has no such value, it
 * returns the position of the nearest parent. Caches its searches, so create it once for many pointers.
 */
const createLocator = (source: YamlSource): ((pointer: string) => { line: number; column: number }) => {
  const { document, lines } = source
  const maps = new Map<YAMLMap, Map<string, Step>>()
  let aliased: Map<Alias, Node> | undefined

  const stepsOf = (map: YAMLMap): Map<string, Step> => {
    const steps = maps.get(map) ?? listSteps(map)
    maps.set(map, steps)
    return steps
  }
  const resolve = (node: unknown): unknown => {
    if (!isAlias(node)) return node
    aliased ??= listAliased(source)
    return aliased.get(node)
  }
  const stepInto = (node: unknown, part: string): Step | undefined => {
    if (isMap(node)) return stepsOf(node).get(part)
    const item = isSeq(node) ? node.items[Number(part)] : undefined
    return isNode(item) && item.range ? { node: item, offset: item.range[0] } : undefined
  }

  return (pointer) => {
    let node: unknown = document.contents
    let offset = document.contents?.range[0] ?? 0
    for (const part of parsePointer(pointer)) {
      const step = stepInto(resolve(node), part)
      if (step === undefined) break
      ;({ node, offset } = step)
    }
    return linePosition(lines, offset)
  }
}

const secretName =
  /secret|passw(or)?d|passphrase|passcode|pwd|token|credential|bearer|(api|access|private|signing|encryption|client)key/

/** Whether the name of a key suggests a secret, in any letter case and with any prefix or suffix. */
const isSecretName = (key: string): boolean => secretName.test(key.toLowerCase().replaceAll(/[^a-z]/g, ''))

const secretMessage = `${unknownKeyMessage}, and its name looks like a secret. Config files must not contain secrets. Put it in an environment variable, and name that variable in a key with the ending Env, such as auth.oauth.clientSecretEnv in server.yaml`

/** Extends the fault of an unknown key whose name suggests a secret with the way to pass secrets. */
const explainSecret = (fault: Fault): Fault => {
  const key = fault.pointer?.split('/').at(-1)
  return fault.message === unknownKeyMessage && key !== undefined && isSecretName(key)
    ? { ...fault, message: secretMessage }
    : fault
}

/** The first hundred faults of a text in its order, the number of further ones, and the value if the file's own rules could be checked. */
export type CheckedConfig<T> = { readonly faults: readonly Fault[]; readonly omitted: number; readonly value?: T }

const aliasesMax = 100
/** A longer pointer is of no use to people, and a hundred of them could exceed the text a hundred times. */
const pointerCharsMax = 1024

const byPlace = (faults: readonly Fault[]): readonly Fault[] =>
  faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

const inOrder = (faults: readonly Fault[], omitted = 0) => ({
  faults: byPlace(faults).slice(0, faultsMax),
  omitted: omitted + Math.max(0, faults.length - faultsMax),
})

const readValue = (source: YamlSource): ParseResult<unknown> => {
  const refuse = (at = { line: 1, column: 1 }) => ({
    ok: false as const,
    faults: [{ ...at, message: 'its aliases expand to too many values: write the values out' }],
  })
  const tooMuch = findTooMuchRepeated(source)
  if (tooMuch !== undefined) return refuse(tooMuch)
  try {
    return { ok: true, value: source.document.toJS({ maxAliasCount: aliasesMax }) ?? {} }
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return refuse()
  }
}

const readText = (text: string) => {
  if (Buffer.byteLength(text) > configBytesMax) return { faults: [{ message: 'is larger than 1 MiB' }] }
  const read = readYamlSource(text.replace(/^\uFEFF+/, ''))
  if ('faults' in read) return read
  const faults = findYamlFaults(read.source)
  const value = faults.length > 0 ? { ok: false as const, faults } : readValue(read.source)
  return value.ok ? { source: read.source, value: value.value } : { faults: value.faults }
}

const removeAt = (value: unknown, pointer: string): void => {
  const path = parsePointer(pointer)
  const key = path.pop() ?? ''
  let parent: unknown = value
  for (const part of path) parent = Object(parent)[part]
  if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, key)
}

/**
 * The value without unknown keys, if these are the only faults of the schema, so that the file's own rules can be checked. With a wrong or
 * missing value, those rules could report wrong faults.
 */
const parseKnown = <T>(file: ConfigFile<T>, value: unknown, faults: readonly Fault[]): ParseResult<T> => {
  if (faults.some(({ message }) => message !== unknownKeyMessage)) return { ok: false, faults }
  const known = structuredClone(value)
  for (const { pointer = '' } of faults) removeAt(known, pointer)
  return file.parse(known)
}

const locateFaults = (source: YamlSource, faults: readonly Fault[]): readonly Fault[] => {
  const locate = createLocator(source)
  return faults.map(explainSecret).map((fault) => {
    const { pointer = '', ...rest } = fault
    return { ...locate(pointer), ...(pointer.length <= pointerCharsMax && { pointer }), ...rest }
  })
}

/** Adds line and column to faults whose pointers lead into `text`, in its order. Unchanged if the text cannot be parsed. */
export const locatePointers = (text: string, faults: readonly Fault[]): readonly Fault[] => {
  const read = readText(text)
  return 'source' in read ? byPlace(locateFaults(read.source, faults)) : faults
}

/** `parseConfig` up to the point where further rules can be added. */
export const checkConfigText = <T>(file: ConfigFile<T>, text: string, others: OtherConfigs): CheckedConfig<T> => {
  const read = readText(text)
  if (!('source' in read)) return inOrder(read.faults)
  const parsed = file.parse(read.value)
  const known = parsed.ok ? parsed : parseKnown(file, read.value, parsed.faults)
  const faults = [...(parsed.ok ? [] : parsed.faults), ...(known.ok ? file.crossCheck(known.value, others) : [])]
  const located = inOrder(faults.length > 0 ? locateFaults(read.source, faults) : [])
  return known.ok ? { ...located, value: known.value } : located
}

/** The result of a check and of further faults, which already have positions. */
export const concludeCheck = <T>({ value, ...checked }: CheckedConfig<T>, besides: readonly Fault[] = []): ParseResult<T> => {
  const { faults, omitted } = inOrder([...checked.faults, ...besides], checked.omitted)
  if (faults.length === 0 && value !== undefined) return { ok: true, value }
  return { ok: false, faults: omitted > 0 ? [...faults, { message: `and ${omitted} more faults` }] : faults }
}

/**
 * The value of a config text with absent keys filled in, or its faults. The text is YAML 1.2, at most 1 MiB; an empty one reads as `{}`.
 * A fault has line and column from 1, and a pointer if there is a value. Lists all syntax faults; if there are none, all faults of the
 * schema and, if possible, of the file's own rules, including those on `others`. Faults after the first 100 are only counted. No fault
 * repeats text that could be a secret. May take a second or more: use `createConfigParser` in a process that must not block.
 */
export const parseConfig = <T>(file: ConfigFile<T>, text: string, others: OtherConfigs = noOthers): ParseResult<T> =>
  concludeCheck(checkConfigText(file, text, others))
