import type { Static, TSchema } from '@sinclair/typebox'
import type { Fault } from '../kernel/errors.ts'
import { createParser, type ParseResult } from '../kernel/schema.ts'

/** A config file, and all that there is of it: reading, checking, reloading and the editor's schema are made from this. */
export type ConfigFile<T> = {
  readonly schema: TSchema
  /** Against the schema alone, absent keys filled in. */
  readonly parse: (input: unknown) => ParseResult<T>
  /** Every breach of a rule that no schema can say, each with its JSON Pointer. */
  readonly crossCheck: (value: T) => readonly Fault[]
  /** What a change of the file takes to be in force. */
  readonly effect: 'reload' | 'restart'
}

/** Declares a config file by its schema. */
export const defineConfigFile = <S extends TSchema>(
  file: { readonly schema: S } & Pick<ConfigFile<Static<S>>, 'crossCheck' | 'effect'>,
): ConfigFile<Static<S>> => ({ ...file, parse: createParser(file.schema, 'defaults') })
