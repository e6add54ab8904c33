import type { JsonSchema } from '../../shared/domain/configs/config-schemas.ts'

/** A step into a value: a key, or any entry of a list or of a mapping with free keys. */
export type Step = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'item' } | { readonly kind: 'entry' }

/** One key of a config file: its path and the schema of its value. */
export type ConfigKey = { readonly steps: readonly Step[]; readonly schema: JsonSchema; readonly isRequired: boolean }

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of the entries of a mapping with free keys, and the form of these keys. */
export const findEntrySchema = ({
  patternProperties,
}: JsonSchema): { readonly keys: string; readonly entry: JsonSchema } | undefined => {
  const [keys, entry] = isSchema(patternProperties) ? (Object.entries(patternProperties)[0] ?? []) : []
  return keys !== undefined && isSchema(entry) ? { keys, entry } : undefined
}

/** Every key of a schema, at any depth, each before the keys inside it. */
export const listConfigKeys = (schema: JsonSchema, steps: readonly Step[] = []): ConfigKey[] => {
  const { properties, required, items } = schema
  const isRequired = (key: string): boolean => Array.isArray(required) && required.includes(key)
  const named = Object.entries(isSchema(properties) ? properties : {}).flatMap(([key, inner]): ConfigKey[] => {
    if (!isSchema(inner)) return []
    const here: readonly Step[] = [...steps, { kind: 'key', key }]
    return [{ steps: here, schema: inner, isRequired: isRequired(key) }, ...listConfigKeys(inner, here)]
  })
  const entry = findEntrySchema(schema)?.entry
  return [
    ...named,
    ...(isSchema(items) ? listConfigKeys(items, [...steps, { kind: 'item' }]) : []),
    ...(entry === undefined ? [] : listConfigKeys(entry, [...steps, { kind: 'entry' }])),
  ]
}

/** A path as people write it: `groups[].name`, `attacks.*.ranks.*.power`. */
export const formatSteps = (steps: readonly Step[]): string =>
  steps
    .map((step) => (step.kind === 'key' ? `.${step.key}` : step.kind === 'entry' ? '.*' : '[]'))
    .join('')
    .replace(/^\./, '')
