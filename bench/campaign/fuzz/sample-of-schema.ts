import type { JsonSchema } from '../../../tools/conformance/rules/api-description.ts'
import type { Random } from '../random.ts'
import { oddNumber, oddText, oddValue } from './odd-values.ts'

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const numberOf = (random: Random, { minimum, maximum, type }: JsonSchema): number => {
  const [min, max] = [Number(minimum ?? -100), Number(maximum ?? 100)]
  if (random.chance(0.1)) return oddNumber(random)
  const value = min + random.next() * (Math.min(max, min + 1000) - min)
  return type === 'integer' ? Math.floor(value) : value
}

const textOf = (random: Random, schema: JsonSchema, words: readonly string[]): string => {
  if (random.chance(0.2)) return oddText(random)
  if (random.chance(0.4)) return random.pick(words)
  return 'abcdefgh'.slice(0, Math.max(Number(schema.minLength ?? 1), random.int(1, 8)))
}

/** A value that mostly matches the schema of a request. Texts are often from `words`, the valid values of the server. */
export const sampleOfSchema = (random: Random, schema: unknown, words: readonly string[]): unknown => {
  if (!isSchema(schema)) return oddValue(random)
  if ('const' in schema) return schema.const
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (choices.length > 0) return sampleOfSchema(random, random.pick(choices), words)
  if (listOf(schema.enum).length > 0) return random.pick(listOf(schema.enum))
  if (schema.type === 'object') {
    const known = isSchema(schema.properties) ? schema.properties : {}
    const required = listOf(schema.required)
    const chosen = Object.keys(known).filter((key) => required.includes(key) || random.chance(0.5))
    return Object.fromEntries(chosen.map((key) => [key, sampleOfSchema(random, known[key], words)]))
  }
  if (schema.type === 'array') {
    const length = Math.max(Number(schema.minItems ?? 0), random.int(0, 4))
    return Array.from({ length: Math.min(length, 64) }, () => sampleOfSchema(random, schema.items, words))
  }
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(random, schema)
  if (schema.type === 'boolean') return random.chance(0.5)
  return schema.type === 'string' ? textOf(random, schema, words) : oddValue(random)
}
