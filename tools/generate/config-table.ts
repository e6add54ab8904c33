import type { JsonSchema } from '../../shared/domain/configs/config-schemas.ts'
import type { KeyEffect } from './config-effects.ts'
import { type ConfigKey, findEntrySchema, formatSteps, isSchema } from './config-keys.ts'

/** Longer defaults would make the table unreadable; the bundled file has them. */
const defaultCharactersMax = 40

/** The pattern that TypeBox writes for a mapping with any keys. */
const anyText = '^(.*)$'

const code = (text: string): string => `\`${text}\``

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const describeRange = (least: unknown, greatest: unknown): string => {
  const format = (value: unknown): string => (typeof value === 'number' ? value.toLocaleString('en-US') : '')
  if (least === undefined && greatest === undefined) return ''
  if (greatest === undefined) return `, ${format(least)} or more`
  return least === undefined ? `, at most ${format(greatest)}` : `, ${format(least)} to ${format(greatest)}`
}

const describeChoices = (schema: JsonSchema): string | undefined => {
  const { anyOf } = schema
  const constants = Array.isArray(anyOf)
    ? anyOf.flatMap((choice) => (isSchema(choice) && 'const' in choice ? [choice.const] : []))
    : []
  const only = 'const' in schema ? [schema.const] : constants
  const choices = Array.isArray(schema.enum) ? schema.enum : only
  return choices.length === 0 ? undefined : choices.map((choice) => code(String(choice))).join(' or ')
}

const describeText = ({ pattern, minLength, maxLength }: JsonSchema): string =>
  `text${describeRange(minLength, maxLength)}${maxLength === undefined ? '' : ' characters'}${typeof pattern === 'string' ? ` ${code(pattern)}` : ''}`

const describeItems = (schema: JsonSchema): string => {
  const { items } = schema
  if (!isSchema(items)) return ''
  return isSchema(items.properties) ? '' : ` of ${describeType(items)}`
}

/** The form of a value in words: type, range, pattern. */
const describeType = (schema: JsonSchema): string => {
  const choices = describeChoices(schema)
  if (choices !== undefined) return choices
  const entry = findEntrySchema(schema)
  if (entry !== undefined)
    return `mapping${describeRange(schema.minProperties, schema.maxProperties)}${entry.keys === anyText ? '' : `, keys ${code(entry.keys)}`}`
  switch (schema.type) {
    case 'boolean':
      return '`true` or `false`'
    case 'integer':
      return `whole number${describeRange(schema.minimum, schema.maximum)}`
    case 'number':
      return `number${describeRange(schema.minimum, schema.maximum)}`
    case 'array':
      return `list${describeItems(schema)}${describeRange(schema.minItems, schema.maxItems)}`
    case 'string':
      return describeText(schema)
    default:
      return 'section'
  }
}

const describeDefault = ({ schema, isRequired }: ConfigKey): string => {
  if (isSchema(schema.properties) && 'default' in schema) return ''
  if (isRequired) return 'required'
  if (!('default' in schema)) return 'none'
  const { default: value } = schema
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return text.length > defaultCharactersMax && Array.isArray(value) ? `${value.length} entries` : code(text)
}

const describeEffect = (effect: KeyEffect): string =>
  typeof effect === 'string' ? effect : `added: ${effect.added}; removed: ${effect.takenAway}`

/** The keys of a config file as a table, one line each. */
export const createConfigTable = (keys: readonly ConfigKey[], findEffect: (key: ConfigKey) => KeyEffect): readonly string[] => [
  '| Key | Type | Default | Applies | What it is |',
  '|---|---|---|---|---|',
  ...keys.map((key) => {
    const { steps, schema } = key
    const isSection = isSchema(schema.properties)
    const cells = [
      code(formatSteps(steps)),
      describeType(schema),
      describeDefault(key),
      isSection ? '' : describeEffect(findEffect(key)),
      String(schema.description ?? ''),
    ]
    return `| ${cells.map(cell).join(' | ')} |`
  }),
]
