import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Fault } from './errors.ts'

/** The message for a key that a schema does not have. */
export const unknownKeyMessage = 'is not a known key'

/** A JSON Pointer (RFC 6901), extended by one key. */
export const pointerTo = (at: string, key: string): string => `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

type KeyRules = { readonly patternProperties?: unknown; readonly description?: unknown; readonly [keyword: string]: unknown }

/** The message for an unknown key. Includes the description of the form of keys where authors choose them. */
export const describeKeyFault = ({ patternProperties, description }: KeyRules = {}): string =>
  patternProperties === undefined || typeof description !== 'string'
    ? unknownKeyMessage
    : `is not a valid key here: ${description}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The values of a choice between constants; undefined for any other error. */
const choicesOf = ({ keyword, schema }: ErrorObject): readonly unknown[] | undefined =>
  keyword === 'anyOf' && Array.isArray(schema) && schema.every((one) => isRecord(one) && 'const' in one)
    ? schema.map((one: { const: unknown }) => one.const)
    : undefined

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const listTypes = (type: unknown): string =>
  [type]
    .flat()
    .flatMap((names) => String(names).split(','))
    .map((name) => typeNames[name] ?? name)
    .join(' or ')

const formatNames: Readonly<Record<string, string>> = {
  uuid: 'a UUID, such as 5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10',
  'date-time': 'a date and time, such as 2026-11-23T20:00:00Z',
  date: 'a date, such as 2026-11-23',
  email: 'an email address',
  uri: 'an absolute address, such as https://example.com/path',
}

const counted = (count: unknown, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** A plain sentence for a keyword of JSON Schema. Undefined for others. */
const sentenceOf = ({ keyword, params }: ErrorObject): string | undefined => {
  const { limit } = params
  switch (keyword) {
    case 'type':
      return `must be ${listTypes(params.type)}`
    case 'minItems':
      return `must have at least ${counted(limit, 'item', 'items')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'item', 'items')}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character', 'characters')}`
    case 'minProperties':
      return `must have at least ${counted(limit, 'key', 'keys')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'key', 'keys')}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'uniqueItems':
      return `must not have an item twice: items ${Math.min(params.i, params.j) + 1} and ${Math.max(params.i, params.j) + 1} are the same`
    case 'format':
      return `must be ${formatNames[String(params.format)] ?? `of the format ${params.format}`}`
    case 'pattern':
      return `must match the pattern ${params.pattern}`
    case 'dependentRequired':
      return `must have ${params.deps} together with ${params.property}`
    case 'anyOf':
    case 'oneOf':
      return 'has none of the allowed forms'
    case 'not':
    case 'false schema':
      return 'is not allowed'
    default:
      return undefined
  }
}

const describeFault = (error: ErrorObject): Fault => {
  const at = error.instancePath
  if (error.keyword === 'additionalProperties')
    return {
      pointer: pointerTo(at, String(error.params.additionalProperty)),
      message: describeKeyFault(error.parentSchema),
    }
  if (error.keyword === 'required')
    return { pointer: pointerTo(at, String(error.params.missingProperty)), message: 'is required' }
  if (error.keyword === 'enum') return { pointer: at, message: `must be one of ${JSON.stringify(error.params.allowedValues)}` }
  if (error.keyword === 'const') return { pointer: at, message: `must be ${JSON.stringify(error.params.allowedValue)}` }
  if (error.keyword === 'pattern' && error.parentSchema?.description !== undefined)
    return { pointer: at, message: `does not have the right form: ${error.parentSchema.description}` }
  return { pointer: at, message: sentenceOf(error) ?? error.message ?? 'is not valid' }
}

/** Describes ajv errors, which must include their schemas (`verbose`). A value that matches none of several constants is one fault. */
export const describeFaults = (errors: readonly ErrorObject[]): readonly Fault[] => {
  const choices = new Map(errors.map((error) => [error.instancePath, choicesOf(error)] as const).filter(([, values]) => values))
  return errors.flatMap((error) => {
    const { instancePath: pointer, keyword } = error
    if (choicesOf(error) !== undefined) return [{ pointer, message: `must be one of ${JSON.stringify(choicesOf(error))}` }]
    return keyword === 'const' && choices.has(pointer) ? [] : [describeFault(error)]
  })
}

const faultsToldMax = 100

/** The first hundred faults, and the number of further ones. So a response is never much larger than its request. */
export const limitFaults = (faults: readonly Fault[]): readonly Fault[] => {
  const rest = faults.length - faultsToldMax
  return rest > 0 ? [...faults.slice(0, faultsToldMax), { message: `and ${rest} more faults` }] : faults
}
