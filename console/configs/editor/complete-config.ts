import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import { describeDefault, describeSchema, findChoices, findSchema, listProperties, type Schema } from '../schema.ts'
import { findPath } from './find-path.ts'

export const listLinesAbove = (state: EditorState, line: number): readonly string[] =>
  state.doc
    .toString()
    .split('\n')
    .slice(0, line - 1)

const listValues = (schema: Schema): readonly Completion[] => {
  const values = findChoices(schema) ?? (schema.type === 'boolean' ? ['true', 'false'] : [])
  const fallback = describeDefault(schema)
  const all = values.length > 0 ? values : fallback === '' ? [] : [fallback]
  return all.map((label) => ({ label, type: 'enum', ...(label === fallback && { detail: '·' }) }))
}

/** Completes a key with its first content: a map on the next line, or a list with its first item. */
const openKey = (name: string, { type }: Schema, column: number): string => {
  const next = `\n${' '.repeat(column + 2)}`
  return type === 'object' ? `${name}:${next}` : type === 'array' ? `${name}:${next}- ` : `${name}: `
}

const listKeys = (schema: Schema, column: number): readonly Completion[] =>
  listProperties(schema).map(([label, of]) => ({
    label,
    type: 'property',
    detail: String(findChoices(of)?.join(' | ') ?? of.type ?? ''),
    info: describeSchema(of),
    apply: openKey(label, of, column),
  }))

/** Completions from the schema: a key of the map at the cursor, or a value of the key before it. */
export const completeConfig =
  (schema: Schema) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos)
    const before = line.text.slice(0, pos - line.from)
    const above = listLinesAbove(state, line.number)
    const [, valueHead, key, value = ''] = /^(\s*(?:- +)*)([\w.-]+):\s+([^\s#]*)$/.exec(before) ?? []
    if (key !== undefined && valueHead !== undefined) {
      const of = findSchema(schema, [...findPath(above, `${valueHead}x`), key])
      const options = of === undefined ? [] : listValues(of)
      return options.length === 0 ? null : { from: pos - value.length, options, validFor: /^[^\s#]*$/ }
    }
    const [, head, word = ''] = /^(\s*(?:- +)*)([\w.-]*)$/.exec(before) ?? []
    if (head === undefined || (word === '' && !explicit)) return null
    const of = findSchema(schema, findPath(above, `${head}x`))
    const options = of === undefined ? [] : [...listKeys(of, head.length), ...listValues(of)]
    return options.length === 0 ? null : { from: pos - word.length, options, validFor: /^[\w.-]*$/ }
  }
