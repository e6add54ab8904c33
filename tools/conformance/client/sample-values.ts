import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../rules/api-description.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false }))
const coercingAjv = addFormats.default(new Ajv2020({ strict: false, coerceTypes: true }))

const candidates: readonly unknown[] = [[], {}, 'no such thing', 1.5, true, -1, null]
const queryCandidates = ['', 'no such thing', '-1', '99999999999', 'x'.repeat(300)]

/** A value that the schema refuses; undefined if it accepts everything. */
export const findWrongValue = (schema: JsonSchema): unknown => {
  const isValid = ajv.compile(schema)
  return candidates.find((candidate) => !isValid(candidate))
}

/** The same for a query, in which every value is text. */
export const findWrongText = (schema: JsonSchema): string | undefined => {
  const isValid = coercingAjv.compile({ type: 'object', properties: { value: schema } })
  return queryCandidates.find((value) => !isValid({ value }))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

const sampleObject = ({ properties, required, minProperties }: JsonSchema): Record<string, unknown> => {
  const known = isSchema(properties) ? properties : {}
  const needed = [...new Set([...listOf(required), ...Object.keys(known).slice(0, Number(minProperties ?? 0))])]
  return Object.fromEntries(
    needed.map((key) => {
      const schema = known[String(key)]
      return [String(key), isSchema(schema) ? createSample(schema) : null]
    }),
  )
}

const sampleArray = ({ minItems, items }: JsonSchema): readonly unknown[] =>
  Array.from({ length: Number(minItems ?? 0) }, () => (isSchema(items) ? createSample(items) : null))

/** The simplest value of a request schema: the required members, each as small as possible. */
export const createSample = (schema: JsonSchema): unknown => {
  const [first] = listOf(schema.anyOf)
  if (isSchema(first)) return createSample(first)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'object') return sampleObject(schema)
  if (schema.type === 'array') return sampleArray(schema)
  if (schema.type === 'boolean') return true
  if (schema.format === 'date-time') return '2020-01-01T00:00:00.000Z'
  if (schema.type !== 'string') return Number(schema.minimum ?? 0)
  const fits = typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test('conformance')
  const [example] = listOf(schema.examples)
  return fits || example === undefined ? 'conformance' : example
}
