import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeFaults } from './describe-fault.ts'
import { AppError, type Fault } from './errors.ts'
import { findFaults, firstFaults } from './find-faults.ts'
import { withFormats } from './formats/schema-formats.ts'

// The schemas are our own, and their types ensure that they follow the draft. Validating them at each start would double the time of
// the first request.
const options = { strict: true, validateSchema: false } as const
// `verbose` adds the violated schema, whose description explains a pattern.
const explaining = { ...options, allErrors: true, verbose: true } as const

// Stops at the first fault, because the sender controls how long the others take to find.
const strictAjv = withFormats(new Ajv2020(options))
const coercingAjv = withFormats(new Ajv2020({ ...explaining, coerceTypes: true }))
// Configs are checked only a few times in a process, so optimizing the validation code does not pay.
const defaultingAjv = withFormats(new Ajv2020({ ...explaining, useDefaults: true, code: { optimize: false } }))

export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] }

/**
 * How a parser treats its input: `strict` keeps it unchanged, `coerce` reads numbers and booleans from text, `defaults` adds absent
 * keys.
 */
export type ParseMode = 'strict' | 'coerce' | 'defaults'

const ajvFor = {
  strict: strictAjv,
  coerce: coercingAjv,
  defaults: defaultingAjv,
}

const compiled = {
  strict: new WeakMap<TSchema, ValidateFunction>(),
  coerce: new WeakMap<TSchema, ValidateFunction>(),
  defaults: new WeakMap<TSchema, ValidateFunction>(),
}

/**
 * Compiles each schema once. ajv keeps no schema, neither its memory nor its `$id`: a module that is loaded again has the same `$id`
 * again.
 */
const compile = (schema: TSchema, mode: ParseMode): ValidateFunction => {
  const known = compiled[mode].get(schema)
  if (known !== undefined) return known
  const ajv = ajvFor[mode]
  try {
    const validate = ajv.compile(schema)
    compiled[mode].set(schema, validate)
    return validate
  } finally {
    ajv.removeSchema(schema)
  }
}

/** Returns the faults of the last call and clears them. Otherwise ajv would keep them, with parts of the value, until the next call. */
const takeFaults = (validate: ValidateFunction): readonly Fault[] => {
  const faults = describeFaults(validate.errors ?? [])
  validate.errors = null
  return faults
}

/**
 * A parser for a schema, compiled on its first use. Never throws, and does not change its input. A strict parser returns the first
 * twenty faults and takes no longer than reading up to them. The others search for every fault, so use them for small input or our own.
 * One that coerces also returns the first twenty only.
 */
export const createParser = <S extends TSchema>(schema: S, mode: ParseMode = 'strict') => {
  let validate: ValidateFunction<Static<S>> | undefined
  return (input: unknown): ParseResult<Static<S>> => {
    validate ??= compile(schema, mode)
    const value = mode === 'strict' ? input : structuredClone(input)
    if (validate(value)) return { ok: true, value }
    const first = takeFaults(validate)
    if (mode === 'defaults') return { ok: false, faults: first }
    const faults = mode === 'strict' ? findFaults(schema, value) : firstFaults(first)
    return { ok: false, faults: faults.length > 0 ? faults : first }
  }
}

/** Parses `input` or throws AppError `invalid`, slug `bad-request`, with the faults in `errors`. */
export const createStrictParser = <S extends TSchema>(schema: S, what: string, mode: ParseMode = 'strict') => {
  const parse = createParser(schema, mode)
  return (input: unknown): Static<S> => {
    const result = parse(input)
    if (result.ok) return result.value
    throw new AppError('invalid', 'bad-request', `The ${what} is not valid.`, { errors: result.faults })
  }
}
