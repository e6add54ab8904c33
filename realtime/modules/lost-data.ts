import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import type { LoadedSpec } from '../../shared/domain/modules/module-spec.ts'

type Stored = { readonly version?: number }

const versionOf = (stored: object): number => ('version' in stored && typeof stored.version === 'number' ? stored.version : 1)

/** Bounds of a schema: a value may stop fitting when the first ones grow and the second ones shrink. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const

const partsOf = (schema: TSchema): Readonly<Record<string, TSchema>> =>
  schema.type === 'object' ? (schema.properties ?? {}) : {}

/** A schema without descriptions and defaults, which decide about no value. */
const withoutTexts = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(withoutTexts)
  if (typeof part !== 'object' || part === null) return part
  const rules = Object.entries(part).filter(([key]) => !['title', 'description', 'default', 'examples'].includes(key))
  const inside = (key: string, rule: unknown): unknown =>
    // Its keys are names of values, not words of the schema.
    key === 'properties' ? Object.entries(rule as object).map(([name, value]) => [name, withoutTexts(value)]) : withoutTexts(rule)
  return Object.fromEntries(rules.map(([key, rule]) => [key, inside(key, rule)]))
}

/** The values of the old schema that may not fit the new one, in words. `at` is the path of the value. */
const findUnfit = (before: TSchema, after: TSchema, at = ''): string[] => {
  const name = at === '' ? 'the value' : at
  const isOther = ['type', 'const', 'enum', 'anyOf', 'patternProperties', 'pattern', 'format'].some(
    (key) => !isDeepStrictEqual(withoutTexts(before[key]), withoutTexts(after[key])),
  )
  if (isOther) return [`${name} has another type`]
  const isNarrower =
    lowerBounds.some((key) => (after[key] ?? Number.NEGATIVE_INFINITY) > (before[key] ?? Number.NEGATIVE_INFINITY)) ||
    upperBounds.some((key) => (after[key] ?? Number.POSITIVE_INFINITY) < (before[key] ?? Number.POSITIVE_INFINITY))
  const [old, next] = [partsOf(before), partsOf(after)]
  const below = (key: string): string => (at === '' ? key : `${at}.${key}`)
  // Unknown keys stay stored, so one that only disappears loses nothing.
  const isRenamed = Object.keys(next).some((key) => old[key] === undefined) || after.additionalProperties === false
  return [
    ...(isNarrower ? [`${name} has narrower limits`] : []),
    ...Object.entries(old).flatMap(([key, part]) => {
      const now = next[key]
      if (now !== undefined) return findUnfit(part, now, below(key))
      return isRenamed ? [`${below(key)} is gone`] : []
    }),
    ...Object.entries(next).flatMap(([key, { default: first }]) => {
      const isNeeded = (schema: TSchema): boolean => schema.required?.includes(key) === true
      return isNeeded(after) && !isNeeded(before) && first === undefined
        ? [`${below(key)} is required now and has no default`]
        : []
    }),
    ...(before.items !== undefined && after.items !== undefined ? findUnfit(before.items, after.items, `${at}[]`) : []),
  ]
}

const schemaOf = (stored: object): TSchema => ('schema' in stored ? (stored.schema as TSchema) : (stored as TSchema))

const findLostIn = (what: string, before: Stored | object | undefined, after: Stored | object | undefined): string[] => {
  if (before === undefined) return []
  if (after === undefined) return [`${what}: the new version does not declare it, so its values are not read any longer`]
  const [old, next] = [versionOf(before), versionOf(after)]
  if (next < old) return [`${what}: values of version ${old} cannot be read by version ${next}`]
  if (next > old) return []
  const unfit = findUnfit(schemaOf(before), schemaOf(after))
  return unfit.length === 0
    ? []
    : [`${what}: stored values may not fit: ${unfit.join('; ')}. Raise \`version\` to ${old + 1} and add a step to \`migrate\``]
}

/** The stored data and the messages that a reload from one definition to another would lose, in words. */
export const findLost = ({ declare: before }: LoadedSpec, { declare: after }: LoadedSpec): readonly string[] => [
  ...findLostIn('player', before.player, after.player),
  ...findLostIn('state', before.state, after.state),
  ...Object.entries(before.records ?? {}).flatMap(([name, record]) =>
    findLostIn(`records.${name}`, record, after.records?.[name]),
  ),
  ...Object.keys(before.messages ?? {}).flatMap((name) =>
    after.messages?.[name] === undefined ? [`messages.${name}: clients that send it get unknown-message`] : [],
  ),
]
