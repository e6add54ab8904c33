type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

const uuid = '0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60'
const instant = '2026-11-27T12:00:00.000Z'

/** Sample values by the name of their field. Each counts only where the schema of the field accepts it. */
const samples: Readonly<Record<string, string | number>> = {
  email: 'ada@example.com',
  displayName: 'Ada',
  password: 'correct horse battery',
  into: 'bob@example.com',
  note: 'Asked twice to stop.',
  greeting: 'Welcome to the harbour.',
  farewell: 'Come back soon.',
  shortcutBarPages: 'stone',
  current: 'correct horse battery',
  next: 'staple battery horse',
  name: 'harbour',
  world: 'world',
  group: 'builder',
  groups: 'builder',
  inherits: 'player',
  permission: 'zone.build',
  permissions: 'zone.build',
  rule: 'zone.*',
  reason: 'Grief at the harbour.',
  text: 'The harbour opens at six.',
  actor: 'ada@example.com',
  by: 'ada@example.com',
  action: 'zone.update',
  generator: 'terrain-1',
  type: 'stone',
  from: 'stone',
  to: 'air',
  colour: '#7f7f7f',
  resource: 'MANA',
  url: 'wss://play.example.com',
  address: '203.0.113.7',
  content: 'defaultGroups: [player]\n',
  seed: 42,
  yMin: 60,
  yMax: 90,
  radius: 16,
  progress: 0.5,
  y: 64,
}

const accepts = ({ pattern, minLength, maxLength, minimum, maximum }: Schema, value: string | number): boolean =>
  typeof value === 'number'
    ? value >= Number(minimum ?? value) && value <= Number(maximum ?? value)
    : (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
      value.length >= Number(minLength ?? 0) &&
      value.length <= Number(maxLength ?? value.length)

const textOf = (schema: Schema, name: string): string => {
  if (schema.format === 'uuid') return uuid
  if (schema.format === 'date-time') return instant
  const own = samples[name]
  const candidates = [...(typeof own === 'string' ? [own] : []), name, 'sample', uuid]
  return candidates.find((value) => accepts(schema, value)) ?? ''
}

const numberOf = (schema: Schema, name: string): number => {
  const own = samples[name]
  return typeof own === 'number' && accepts(schema, own) ? own : Math.max(0, Number(schema.minimum ?? 0))
}

/** An example of a schema: the required members of an object, or all if none is required or `isWhole` is set. */
export const exampleOf = (schema: Schema, isWhole = false, name = ''): unknown => {
  const [example] = Array.isArray(schema.examples) ? schema.examples : []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  const [choice] = Array.isArray(schema.anyOf) ? schema.anyOf : []
  if (isSchema(choice)) return exampleOf(choice, isWhole, name)
  const [value] = Array.isArray(schema.enum) ? schema.enum : []
  if (value !== undefined) return value
  switch (schema.type) {
    case 'object':
      return exampleObject(schema, isWhole)
    case 'array':
      return isSchema(schema.items) ? [exampleOf(schema.items, isWhole, name)] : []
    case 'boolean':
      return true
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return numberOf(schema, name)
    default:
      return null
  }
}

const exampleObject = ({ properties, required }: Schema, isWhole: boolean): object => {
  const known = isSchema(properties) ? properties : {}
  const needed = Array.isArray(required) ? required.map(String) : []
  const names = isWhole || needed.length === 0 ? Object.keys(known) : needed
  return Object.fromEntries(
    names.map((name) => {
      const schema = known[name]
      return [name, isSchema(schema) ? exampleOf(schema, isWhole, name) : null]
    }),
  )
}
