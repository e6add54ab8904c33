import { nameOfReference } from '../../functions/http/openapi/schema-references.ts'

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const schemasIn = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
const namedIn = (value: unknown): readonly (readonly [string, Schema])[] =>
  isSchema(value) ? Object.entries(value).flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema] as const] : [])) : []

const identifier = /^[A-Za-z_$][\w$]*$/

const printName = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name))

const printComment = ({ description }: Schema, indent: string): string =>
  typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : ''

const printObject = (schema: Schema, indent: string): string => {
  const inner = `${indent}  `
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = namedIn(schema.properties)
  const [[, pattern] = []] = namedIn(schema.patternProperties)
  const values = isSchema(schema.additionalProperties) ? schema.additionalProperties : pattern
  if (properties.length === 0 && values !== undefined) return `{ readonly [name: string]: ${printType(values, inner)} }`
  if (properties.length === 0) return schema.additionalProperties === false ? '{}' : '{ readonly [name: string]: unknown }'
  const lines = properties.map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${printComment(property, inner)}${inner}readonly ${printName(name)}${mark}: ${printType(property, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

const wrapArray = (text: string): string => (text.startsWith('readonly ') ? `(${text})` : text)

const printUnion = (types: readonly string[]): string => [...new Set(types)].map(wrapArray).join(' | ') || 'never'

const isUnion = ({ anyOf, oneOf }: Schema): boolean => Array.isArray(anyOf ?? oneOf)

const printElement = (schema: Schema, indent: string): string => {
  const text = printType(schema, indent)
  return isUnion(schema) || Array.isArray(schema.enum) ? `(${text})` : wrapArray(text)
}

/** A schema as a TypeScript type. A reference is the name of its type. Anything it cannot express is `unknown`. */
export const printType = (schema: Schema, indent = ''): string => {
  const reference = nameOfReference(schema)
  if (reference !== undefined) return reference
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return printUnion(schema.enum.map((value) => JSON.stringify(value)))
  if (isUnion(schema)) return printUnion(schemasIn(schema.anyOf ?? schema.oneOf).map((one) => printType(one, indent)))
  switch (schema.type) {
    case 'object':
      return printObject(schema, indent)
    case 'array':
      return `readonly ${printElement(isSchema(schema.items) ? schema.items : {}, indent)}[]`
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    default:
      return 'unknown'
  }
}
