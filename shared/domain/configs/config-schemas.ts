import { catalogue, configNames } from './catalogue.ts'
import type { ConfigName } from './declare/config-file.ts'

/** A JSON Schema, draft 2020-12, as plain JSON. */
export type JsonSchema = { readonly [keyword: string]: unknown }

const isJsonObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes keys with a default from `required`: a parser fills them in, so a text may omit them although the value always has them. */
const leaveOutDefaulted = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(leaveOutDefaulted)
  if (!isJsonObject(node)) return node
  const { properties, required } = node
  const own = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'default' || key === 'examples' ? value : leaveOutDefaulted(value)]),
  )
  if (!isJsonObject(properties) || !Array.isArray(required)) return own
  const needed = required.filter((key: string) => !(isJsonObject(properties[key]) && 'default' in properties[key]))
  const { required: _, ...rest } = own
  return needed.length > 0 ? { ...rest, required: needed } : rest
}

/** The file name of a config's schema: for `skills/attacks.yaml` it is `skills-attacks.schema.json`. */
export const schemaFileName = (name: ConfigName): string => `${name.replaceAll('/', '-').replace(/\.yaml$/, '')}.schema.json`

/** The config whose schema has that file name. */
export const findConfigOfSchema = (filename: string): ConfigName | undefined =>
  configNames.find((name) => schemaFileName(name) === filename)

/**
 * A JSON Schema, draft 2020-12, with which an editor can help with a config file. Every key has a description, and its default if it may be
 * omitted.
 */
export const createConfigSchema = (name: ConfigName): JsonSchema => {
  const { schema, summary } = catalogue[name]
  const plain: unknown = JSON.parse(JSON.stringify(schema))
  const keywords = leaveOutDefaulted(plain)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    // Relative, so that it is valid wherever the file is served or stored.
    $id: schemaFileName(name),
    title: name,
    description: summary,
    ...(isJsonObject(keywords) ? keywords : {}),
  }
}
