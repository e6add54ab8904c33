/** The part of JSON Schema that config schemas use. */
export type Schema = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]

export const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

export const listProperties = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const { properties } = schema
  if (!isSchema(properties)) return []
  return Object.entries(properties).filter((pair): pair is [string, Schema] => isSchema(pair[1]))
}

/** The schema of the entries of a record, an object without listed keys. */
export const findEntrySchema = ({ patternProperties, additionalProperties }: Schema): Schema | undefined => {
  const first = isSchema(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties
  return isSchema(first) ? first : undefined
}

export const findItemSchema = ({ items }: Schema): Schema | undefined => (isSchema(items) ? items : undefined)

/** The values of an enum; undefined for other values. */
export const findChoices = ({ enum: names, anyOf }: Schema): readonly string[] | undefined => {
  if (Array.isArray(names)) return names.map(String)
  if (!Array.isArray(anyOf) || !anyOf.every((one) => isSchema(one) && 'const' in one)) return undefined
  return anyOf.map((one: Schema) => String(one.const))
}

export const describeSchema = ({ description }: Schema): string => (typeof description === 'string' ? description : '')

/** The default as a text; empty without a default. */
export const describeDefault = (schema: Schema): string => {
  if (!('default' in schema)) return ''
  const { default: value } = schema
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const findChild = (schema: Schema, key: string | number): Schema | undefined => {
  if (typeof key === 'number') return findItemSchema(schema)
  return listProperties(schema).find(([name]) => name === key)?.[1] ?? findEntrySchema(schema)
}

export const findSchema = (schema: Schema, path: Path): Schema | undefined =>
  path.reduce<Schema | undefined>((at, key) => (at === undefined ? undefined : findChild(at, key)), schema)
