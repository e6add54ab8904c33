import type { TSchema } from '@sinclair/typebox'

const identifier = /^[A-Za-z_$][\w$]*$/

const printName = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name))

const printComment = ({ description }: TSchema, indent: string): string =>
  typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : ''

const printObject = (schema: TSchema, indent: string): string => {
  const inner = `${indent}  `
  const required: readonly string[] = schema.required ?? []
  const properties: readonly [string, TSchema][] = Object.entries(schema.properties ?? {})
  const [pattern]: TSchema[] = Object.values(schema.patternProperties ?? {})
  if (properties.length === 0 && pattern !== undefined) return `{ readonly [name: string]: ${printType(pattern, inner)} }`
  if (properties.length === 0) return schema.additionalProperties === false ? '{}' : '{ readonly [name: string]: unknown }'
  const lines = properties.map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${printComment(property, inner)}${inner}readonly ${printName(name)}${mark}: ${printType(property, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

const wrapArray = (text: string): string => (text.startsWith('readonly ') ? `(${text})` : text)

const printUnion = (types: readonly string[]): string => [...new Set(types)].map(wrapArray).join(' | ') || 'never'

const printElement = (schema: TSchema, indent: string): string => {
  const text = printType(schema, indent)
  return Array.isArray(schema.anyOf) || Array.isArray(schema.enum) ? `(${text})` : wrapArray(text)
}

/** A TypeBox schema as a TypeScript type. Anything it cannot express is `unknown`. */
export const printType = (schema: TSchema, indent = ''): string => {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return printUnion(schema.enum.map((value) => JSON.stringify(value)))
  if (Array.isArray(schema.anyOf)) return printUnion(schema.anyOf.map((one: TSchema) => printType(one, indent)))
  switch (schema.type) {
    case 'object':
      return printObject(schema, indent)
    case 'array':
      return `readonly ${printElement(schema.items ?? {}, indent)}[]`
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
