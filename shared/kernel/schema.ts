import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeFaults } from './describe-fault.ts'
import { AppError, type Fault } from './errors.ts'
import { findFaults, firstFaults } from './find-faults.ts'
import { withFormats } from './formats/schema-formats.ts'

// Schemas are our own, and their types hold them to the draft. Checking that with each start would double the time of the first request.
const options = { strict: true, validateSchema: false } as const
// `verbose` hands over the schema that was broken, whose description says what a pattern means.
const explaining = { ...options, allErrors: true, verbose: true } as const

// Stops at the first fault: how long the others take to find is up to who wrote them.
const strictAjv = withFormats(new Ajv2020(options))
const coercingAjv = withFormats(new Ajv2020({ ...explaining, coerceTypes: true }))
// Configs are checked a few times in the life of a process: tidying the code that does it costs more than it saves.
const defaultingAjv = withFormats(new Ajv2020({ ...explaining, useDefaults: true, code: { optimize: false } }))

export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] }

/**
 * How lenient a parser is: `strict` takes the value as it is, `coerce` reads numbers and booleans from text, `defaults` fills in
 * absent keys.
 */
export type ParseMode = 'strict' | 'coerce' | 'defaults'

const ajvFor = {
  strict: strictAjv,
  coerce: coercingAjv,
  defaults: defaultingAjv,
}

/** The faults of the call before, which ajv would keep until the next one, and with them parts of the value. */
const takeFaults = (validate: ValidateFunction): readonly Fault[] => {
  const faults = describeFaults(validate.errors ?? [])
  validate.errors = null
  return faults
}

/**
 * A parser made from a schema on its first use; it never throws, and leaves its input alone. A strict one returns the first twenty
 * faults and takes no longer than reading that far. The others look for every fault, and are for input that is small or our own: one
 * that coerces returns the first twenty too.
 */
export const createParser = <S extends TSchema>(schema: S, mode: ParseMode = 'strict') => {
  let validate: ValidateFunction<Static<S>> | undefined
  return (input: unknown): ParseResult<Static<S>> => {
    validate ??= ajvFor[mode].compile<Static<S>>(schema)
    const value = mode === 'strict' ? input : structuredClone(input)
    if (validate(value)) return { ok: true, value }
    const first = takeFaults(validate)
    if (mode === 'defaults') return { ok: false, faults: first }
    const faults = mode === 'strict' ? findFaults(schema, value) : firstFaults(first)
    return { ok: false, faults: faults.length > 0 ? faults : first }
  }
}

/** Parses `input` or throws AppError `invalid`, slug `bad-request`, whose `errors` list the faults. */
export const createStrictParser = <S extends TSchema>(schema: S, what: string, mode: ParseMode = 'strict') => {
  const parse = createParser(schema, mode)
  return (input: unknown): Static<S> => {
    const result = parse(input)
    if (result.ok) return result.value
    throw new AppError('invalid', 'bad-request', `The ${what} is not valid.`, { errors: result.faults })
  }
}
