import { Type } from '@sinclair/typebox'
import type { JsonSchema } from '../../shared/domain/configs/config-schemas.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { findEntrySchema, isSchema } from './config-keys.ts'

/** Words. Every pattern of a config schema must match two of them; a new kind of pattern may need a line here. */
const words = [
  'first',
  'second',
  'third',
  '#102030',
  '#405060',
  '1',
  '2',
  '3',
  '1d6',
  '2d8',
  'FIRST_NAME',
  'SECOND_NAME',
  'https://one.example.org/in',
  'https://two.example.org/in',
]

const choicesOf = (schema: JsonSchema): readonly unknown[] => {
  if (Array.isArray(schema.enum)) return schema.enum
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.anyOf) ? schema.anyOf.flatMap((choice) => (isSchema(choice) ? createSamples(choice) : [])) : []
}

const numbersOf = ({ minimum, maximum, default: usual }: JsonSchema): readonly unknown[] => {
  const least = typeof minimum === 'number' ? minimum : 0
  const greatest = typeof maximum === 'number' ? maximum : least + 1
  return [...new Set([usual ?? least, least, greatest])]
}

const wordsOf = (schema: JsonSchema): readonly unknown[] => {
  const accepts = createParser(Type.Unsafe<string>(schema))
  return words.filter((word) => accepts(word).ok)
}

const objectsOf = (schema: JsonSchema): readonly unknown[] => {
  const entry = findEntrySchema(schema)
  if (entry !== undefined) {
    const names = createSamples({ type: 'string', pattern: entry.keys })
    const [value] = createSamples(entry.entry)
    return [0, 1].map((taken) => Object.fromEntries(names.slice(0, taken + 1).map((name) => [name, value])))
  }
  const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {})
  const samples = properties.map(([key, inner]) => [key, isSchema(inner) ? createSamples(inner) : []] as const)
  return [0, 1].map((turn) => Object.fromEntries(samples.map(([key, values]) => [key, values[turn] ?? values[0]])))
}

const valuesOf = (schema: JsonSchema): readonly unknown[] => {
  if (Array.isArray(schema.examples)) return schema.examples
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices
  switch (schema.type) {
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return numbersOf(schema)
    case 'string':
      return wordsOf(schema)
    case 'array': {
      const items = isSchema(schema.items) ? createSamples(schema.items) : []
      return [items.slice(0, 1), items.slice(0, 2)]
    }
    default:
      return objectsOf(schema)
  }
}

/**
 * Sample values of a schema, usually at least two different ones. Lists and mappings have one entry, then two. Throws when it
 * finds none.
 */
export const createSamples = (schema: JsonSchema): readonly unknown[] => {
  const values = valuesOf(schema)
  if (values.length === 0) throw new Error(`No sample for ${JSON.stringify(schema)}: add examples to it`)
  return values
}
