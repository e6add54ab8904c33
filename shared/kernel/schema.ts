import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { AppError, type Fault } from './errors.ts'
import { limitFaults } from './limit-faults.ts'

// `verbose` hands over the schema that was broken, whose description says what a pattern means. Schemas are our own and their types
// hold them to the draft; checking that again with each start would take half of the time that the first request or config takes.
const options = { allErrors: true, strict: true, verbose: true, validateSchema: false } as const

const strictAjv = addFormats.default(new Ajv2020(options))
const coercingAjv = addFormats.default(new Ajv2020({ ...options, coerceTypes: true }))
// Configs are checked a few times in the life of a process: tidying the code that does it costs more than it saves.
const defaultingAjv = addFormats.default(new Ajv2020({ ...options, useDefaults: true, code: { optimize: false } }))

/** What is said of a key that a schema does not have. */
export const unknownKeyMessage = 'is not a known key'

/** Where keys are names of the writer's choice, the description of what holds them says what they look like. */
const describeKeyFault = ({ patternProperties, description }: NonNullable<ErrorObject['parentSchema']> = {}): string =>
  patternProperties === undefined || description === undefined
    ? unknownKeyMessage
    : `is not a key that can be here: ${description}`

const describeFault = (error: ErrorObject): Fault => {
  const at = error.instancePath
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty)
    return {
      pointer: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: describeKeyFault(error.parentSchema),
    }
  }
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty)
    return {
      pointer: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: 'is required',
    }
  }
  if (error.keyword === 'enum')
    return {
      pointer: at,
      message: `must be one of ${JSON.stringify(error.params.allowedValues)}`,
    }
  if (error.keyword === 'const')
    return {
      pointer: at,
      message: `must be ${JSON.stringify(error.params.allowedValue)}`,
    }
  if (error.keyword === 'pattern' && error.parentSchema?.description !== undefined)
    return { pointer: at, message: `is not of the right form: ${error.parentSchema.description}` }
  return { pointer: at, message: error.message ?? 'is not valid' }
}

export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] }

/** How lenient a parser is: `strict` takes the value as it is, `coerce` reads numbers and booleans from text, `defaults` fills in absent keys. */
export type ParseMode = 'strict' | 'coerce' | 'defaults'

const ajvFor = {
  strict: strictAjv,
  coerce: coercingAjv,
  defaults: defaultingAjv,
}

/** A parser made from a schema on its first use; it returns every fault, never throws, and leaves its input alone. */
export const createParser = <S extends TSchema>(schema: S, mode: ParseMode = 'strict') => {
  let validate: ValidateFunction<Static<S>> | undefined
  return (input: unknown): ParseResult<Static<S>> => {
    validate ??= ajvFor[mode].compile<Static<S>>(schema)
    const value = mode === 'strict' ? input : structuredClone(input)
    if (validate(value)) return { ok: true, value }
    return { ok: false, faults: (validate.errors ?? []).map(describeFault) }
  }
}

/** Parses `input` or throws AppError `invalid`, slug `bad-request`, whose `errors` list every fault, past a hundred their number. */
export const createStrictParser = <S extends TSchema>(schema: S, what: string, mode: ParseMode = 'strict') => {
  const parse = createParser(schema, mode)
  return (input: unknown): Static<S> => {
    const result = parse(input)
    if (result.ok) return result.value
    throw new AppError('invalid', 'bad-request', `The ${what} is not valid.`, {
      errors: limitFaults(result.faults),
    })
  }
}
