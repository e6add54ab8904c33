import { LineCounter, parseDocument } from 'yaml'
import type { Fault } from '../kernel/errors.ts'
import { limitFaults } from '../kernel/limit-faults.ts'
import type { ParseResult } from '../kernel/schema.ts'
import type { ConfigFile } from './config-file.ts'
import type { OtherConfigs } from './config-values.ts'
import { isNestedDeeper } from './yaml-depth.ts'
import { findYamlFaults, type YamlSource } from './yaml-faults.ts'
import { locatePointer } from './yaml-location.ts'

const textBytesMax = 1_048_576
const depthMax = 64
const noOthers: OtherConfigs = { find: () => undefined }
const aliasesMax = 100

const listFaults = (faults: readonly Fault[]): { ok: false; faults: readonly Fault[] } => ({
  ok: false,
  faults: limitFaults(faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))),
})

const readSource = (text: string): YamlSource => {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    schema: 'core',
    merge: false,
    stringKeys: true,
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
    // `silent` would take a second document without a word.
    logLevel: 'error',
  })
  return { document, lines }
}

const readValue = (source: YamlSource): ParseResult<unknown> => {
  const faults = findYamlFaults(source)
  if (faults.length > 0) return listFaults(faults)
  try {
    return { ok: true, value: source.document.toJS({ maxAliasCount: aliasesMax }) ?? {} }
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return listFaults([{ line: 1, column: 1, message: 'its aliases repeat too much: write the values out' }])
  }
}

/**
 * The value of a config text (YAML 1.2, at most 1 MiB, an empty one reads as `{}`) with absent keys filled in, or its faults with
 * line and column from 1, and a pointer where there is a value to point into: all of the syntax, else all against the schema, else
 * all against the file's own rules (those on `others` too). Past 100 the rest is counted.
 */
export const parseConfig = <T>(file: ConfigFile<T>, text: string, others: OtherConfigs = noOthers): ParseResult<T> => {
  if (Buffer.byteLength(text) > textBytesMax) return listFaults([{ message: 'is larger than 1 MiB' }])
  const plain = text.replace(/^\uFEFF/, '')
  if (isNestedDeeper(plain, depthMax)) return listFaults([{ message: `is nested more than ${depthMax} deep` }])
  const source = readSource(plain)
  const read = readValue(source)
  if (!read.ok) return read
  const locate = (faults: readonly Fault[]) =>
    listFaults(faults.map((fault) => ({ ...fault, ...locatePointer(source, fault.pointer ?? '') })))
  const parsed = file.parse(read.value)
  if (!parsed.ok) return locate(parsed.faults)
  const faults = file.crossCheck(parsed.value, others)
  return faults.length > 0 ? locate(faults) : parsed
}
