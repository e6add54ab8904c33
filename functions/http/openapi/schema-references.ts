import type { TSchema } from '@sinclair/typebox'
import { commonFields } from './common-fields.ts'

/** Schemas by the name that generated clients give to their types. */
export type SchemaNames = Readonly<Record<string, TSchema>>

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const prefix = '#/components/schemas/'

/** The name in a reference to a component; undefined for any other schema. */
export const nameOfReference = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined

export const referenceTo = (name: string) => ({ $ref: prefix + name })

/** What a schema accepts, as text. Descriptions and examples of its use at one place do not count. */
const keyOf = ({ description: _description, examples: _examples, ...schema }: Json): string => JSON.stringify(schema)

const everyKey = '^(.*)$'

const constOf = (schema: unknown): unknown => (isRecord(schema) ? schema.const : undefined)

/** The values of a union of texts or numbers; undefined for any other union. */
const enumOf = (members: readonly unknown[]): Json | undefined => {
  const values = members.map(constOf)
  if (values.every((value) => typeof value === 'string')) return { type: 'string', enum: values }
  return undefined
}

/** The text of a property that the object requires; undefined if there is none or it may vary. */
const tagOf = (member: unknown, name: string): string | undefined => {
  if (!isRecord(member) || !isRecord(member.properties) || !Array.isArray(member.required)) return undefined
  const tag = constOf(member.properties[name])
  return typeof tag === 'string' && member.required.includes(name) ? tag : undefined
}

/** How clients tell the members of a union of named objects apart; undefined if no property has another text in each. */
const discriminatorOf = (members: readonly unknown[], references: readonly unknown[]): Json | undefined => {
  const [first] = members
  const names = isRecord(first) && isRecord(first.properties) ? Object.keys(first.properties) : []
  for (const propertyName of names) {
    const mapping = new Map(
      members.flatMap((member, index) => {
        const tag = tagOf(member, propertyName)
        const reference = references[index]
        return tag !== undefined && isRecord(reference) && reference.$ref !== undefined ? [[tag, reference.$ref] as const] : []
      }),
    )
    if (mapping.size === members.length) return { propertyName, mapping: Object.fromEntries(mapping) }
  }
  return undefined
}

/** A schema of TypeBox in the form that generators read best: unions of texts as `enum`, records as `additionalProperties`. */
const simplify = ({ anyOf, patternProperties, ...rest }: Json): Json => {
  const choices = Array.isArray(anyOf) ? (enumOf(anyOf) ?? { anyOf }) : {}
  if (!isRecord(patternProperties)) return { ...rest, ...choices }
  const patterns = Object.entries(patternProperties)
  const [first] = patterns
  return patterns.length === 1 && first?.[0] === everyKey
    ? { ...rest, additionalProperties: first[1] }
    : { ...rest, ...choices, patternProperties }
}

/** Replaces the schemas of `names` by references, wherever they are part of another schema. */
export const createReferences = (names: SchemaNames) => {
  const namesByKey = new Map(Object.entries(names).map(([name, schema]) => [keyOf(schema), name] as const))

  const referMap = (schemas: Json): Json =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, isRecord(schema) ? refer(schema) : schema]))

  const referFields = (fields: Json): Json =>
    Object.fromEntries(
      Object.entries(referMap(fields)).map(([name, field]) => {
        const description = Object.hasOwn(commonFields, name) ? commonFields[name] : undefined
        return [
          name,
          isRecord(field) && description !== undefined && field.$ref === undefined ? { description, ...field } : field,
        ]
      }),
    )

  const referPart = (key: string, value: unknown): unknown => {
    if (key === 'properties' && isRecord(value)) return referFields(value)
    if (key === 'patternProperties' && isRecord(value)) return referMap(value)
    if ((key === 'items' || key === 'additionalProperties' || key === 'not') && isRecord(value)) return refer(value)
    if (key === 'allOf' && Array.isArray(value)) return referMembers(value)
    return value
  }

  const referMembers = (members: readonly unknown[]): readonly unknown[] =>
    members.map((member) => (isRecord(member) ? refer(member) : member))

  const referUnion = (members: readonly unknown[]): Json => {
    const references = referMembers(members)
    const discriminator = discriminatorOf(members, references)
    return discriminator === undefined ? { anyOf: references } : { oneOf: references, discriminator }
  }

  /** The parts of the schema with references. */
  const referInside = (schema: Json): Json => {
    const { anyOf, ...rest } = simplify(schema)
    const parts = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, referPart(key, value)]))
    return Array.isArray(anyOf) ? { ...parts, ...referUnion(anyOf) } : parts
  }

  /** A reference, with the description of this use; the schema with references inside if it has no name. */
  const refer = (schema: Json): Json => {
    const name = namesByKey.get(keyOf(schema))
    if (name === undefined) return referInside(schema)
    const { description } = schema
    const isOwn = description !== undefined && description !== names[name]?.description
    return isOwn ? { ...referenceTo(name), description } : referenceTo(name)
  }

  return {
    refer,
    /** The named schemas, with references to each other. */
    components: Object.fromEntries(Object.entries(names).map(([name, schema]) => [name, referInside(schema)])),
  }
}
