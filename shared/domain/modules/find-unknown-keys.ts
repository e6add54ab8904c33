import { pointerTo, unknownKeyMessage } from '../../kernel/describe-fault.ts'
import type { Fault } from '../../kernel/errors.ts'
import { findNearName } from '../../kernel/find-near-name.ts'

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords with which keys may be named elsewhere than in `properties`. */
const otherNames = ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'] as const

/** The keys that an object may have. Undefined if its schema allows others. */
const keysOf = (schema: JsonObject): readonly string[] | undefined => {
  const { properties, additionalProperties = false } = schema
  const isClosed = isObject(properties) && additionalProperties === false && !otherNames.some((name) => name in schema)
  return isClosed ? Object.keys(properties) : undefined
}

const schemaOf = ({ properties, patternProperties, additionalProperties }: JsonObject, key: string): unknown => {
  if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key]
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {})
  return patterns.find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1] ?? additionalProperties
}

/**
 * A fault for each key that the JSON Schema does not name, with the closest name. A schema without `additionalProperties` counts as closed.
 * Keys inside alternatives (`anyOf`) are not checked.
 */
export const findUnknownKeys = (schema: unknown, value: unknown, at = ''): readonly Fault[] => {
  if (!isObject(schema)) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => findUnknownKeys(schema.items, item, `${at}/${index}`))
  if (!isObject(value)) return []
  const keys = keysOf(schema)
  return Object.entries(value).flatMap(([key, inner]) => {
    const pointer = pointerTo(at, key)
    if (keys === undefined || keys.includes(key)) return findUnknownKeys(schemaOf(schema, key), inner, pointer)
    const nearest = findNearName(key, keys)
    return [{ pointer, message: `${unknownKeyMessage}${nearest === undefined ? '' : `. Did you mean "${nearest}"?`}` }]
  })
}
