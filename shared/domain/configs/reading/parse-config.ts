import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Node, visit, type YAMLMap } from 'yaml'
import { unknownKeyMessage } from '../../../kernel/describe-fault.ts'
import type { Fault } from '../../../kernel/errors.ts'
import type { ParseResult } from '../../../kernel/schema.ts'
import type { ConfigFile } from '../declare/config-file.ts'
import type { OtherConfigs } from '../declare/config-values.ts'
import { noOthers } from '../declare/some-configs.ts'
import { configBytesMax } from '../texts/config-files.ts'
import { findTooMuchRepeated } from './unfolded-values.ts'
import { findYamlFaults } from './yaml-faults.ts'
import { linePosition, readYamlSource, type YamlSource } from './yaml-source.ts'

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
const faultsMax = 100
/** A longer pointer is of no use to people, and a hundred of them could exceed the text a hundred times. */
const pointerCharsMax = 1024

const inOrder = (faults: readonly Fault[], omitted = 0) => ({
  faults: faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)).slice(0, faultsMax),
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

/** Adds line and column to faults whose pointers lead into `text`; unchanged if the text cannot be parsed. */
export const locatePointers = (text: string, faults: readonly Fault[]): readonly Fault[] => {
  const read = readText(text)
  return 'source' in read ? locateFaults(read.source, faults) : faults
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
