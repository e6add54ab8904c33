import type { Static, TSchema } from '@sinclair/typebox'
import type { Fault } from '../../../kernel/errors.ts'
import { createParser, type ParseResult } from '../../../kernel/schema.ts'
import type { ConfigName, OtherConfigs } from './config-values.ts'

/** What a change takes to be in force: nothing (no process goes by it), a reload, or a restart. */
export type ConfigEffect = 'now' | 'reload' | 'restart'

/** A config file, and all that there is of it: reading, checking, saving, reloading, the editor's schema and the documentation are made from this. */
export type ConfigFile<T> = {
  readonly schema: TSchema
  /** What the file is for, in one sentence. */
  readonly summary: string
  /** The strongest effect that a change of the file can have. */
  readonly effect: 'reload' | 'restart'
  /** Who may read it over HTTP. */
  readonly readPermission: `admin.${string}`
  /** Files whose content its own rules look at: a change of one of them must not break this one. */
  readonly refersTo: readonly ConfigName[]
  /** Against the schema alone, absent keys filled in. */
  readonly parse: (input: unknown) => ParseResult<T>
  /** Every breach of a rule that no schema can say, each with its JSON Pointer. Rules on another file do not apply while that is undefined. It may stop after `most`. */
  readonly crossCheck: (value: T, others: OtherConfigs, most?: number) => readonly Fault[]
  /** What is in force once `next` is read while `inForce` is: `next`, with what waits for a restart as it was. */
  readonly afterReload: (inForce: T, next: T) => T
  /** The permission that a change at a JSON Pointer needs besides `admin.configs.write`; undefined for none. `*` is every permission. */
  readonly changePermission: (pointer: string) => string | undefined
  /** Whether the value at a JSON Pointer is for people only, so that no process goes by it. */
  readonly isNote: (pointer: string) => boolean
}

type Definition<S extends TSchema> = { readonly schema: S } & Pick<ConfigFile<Static<S>>, 'summary' | 'effect' | 'crossCheck'> &
  Partial<Pick<ConfigFile<Static<S>>, 'readPermission' | 'refersTo' | 'afterReload' | 'changePermission' | 'isNote'>>

/** Declares a config file by its schema. Left out: read by `admin.configs.read`, refers to none, all of it in force on reload (by `effect` restart: none of it), no notes. */
export const defineConfigFile = <S extends TSchema>(file: Definition<S>): ConfigFile<Static<S>> => ({
  readPermission: 'admin.configs.read',
  refersTo: [],
  afterReload: (inForce, next) => (file.effect === 'restart' ? inForce : next),
  changePermission: () => undefined,
  isNote: () => false,
  ...file,
  parse: createParser(file.schema, 'defaults'),
})
