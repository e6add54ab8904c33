import type { Static, TSchema } from '@sinclair/typebox'
import type { Fault } from '../../../kernel/errors.ts'
import { createParser, type ParseResult } from '../../../kernel/schema.ts'
import type { AttacksConfig, ClassesConfig, SpellsConfig } from '../../classes/classes-config.ts'
import type { ModulesConfig } from '../../modules/modules-config.ts'
import type { GroupsConfig } from '../../permissions/groups-config.ts'
import type { BlocksConfig } from '../../worlds/blocks-config.ts'
import type { WorldgenConfig } from '../../worlds/generation/worldgen-config.ts'
import type { ServerConfig } from '../server/server-config.ts'

/** The parsed value of each config file. */
export type ConfigValues = {
  'server.yaml': ServerConfig
  'groups.yaml': GroupsConfig
  'blocks.yaml': BlocksConfig
  'classes.yaml': ClassesConfig
  'skills/attacks.yaml': AttacksConfig
  'skills/spells.yaml': SpellsConfig
  'worldgen.yaml': WorldgenConfig
  'modules.yaml': ModulesConfig
}
export type ConfigName = keyof ConfigValues

/** The other config files; a file that is broken or not read yet is undefined. */
export type OtherConfigs = {
  find<N extends ConfigName>(name: N): ConfigValues[N] | undefined
}

/** When a change applies: now (no process uses the value), after a reload, or after a restart. */
export type ConfigEffect = 'now' | 'reload' | 'restart'

/** The complete definition of a config file, for reading, checks, saves, reloads, the editor's schema and the documentation. */
export type ConfigFile<T> = {
  readonly schema: TSchema
  /** The purpose of the file in one sentence. */
  readonly summary: string
  /** The strongest effect that a change of the file can have. */
  readonly effect: 'reload' | 'restart'
  /** The permission to read it over HTTP. */
  readonly readPermission: `admin.${string}`
  /** Files that its rules read. A change of one of them must not break this one. */
  readonly refersTo: readonly ConfigName[]
  /** Validates against the schema and fills in absent keys. */
  readonly parse: (input: unknown) => ParseResult<T>
  /** Faults that a schema cannot express, each with its JSON Pointer. Rules that use another file do not apply while that is undefined. May stop after `most` faults. */
  readonly crossCheck: (value: T, others: OtherConfigs, most?: number) => readonly Fault[]
  /** The active value after a reload of `next`: `next`, except for parts that need a restart. */
  readonly afterReload: (inForce: T, next: T) => T
  /** The permission for a change at a JSON Pointer besides `admin.configs.write`; undefined if none. `*` means every permission. */
  readonly changePermission: (pointer: string) => string | undefined
  /** Whether the value at a JSON Pointer is only for people and no process uses it. */
  readonly isNote: (pointer: string) => boolean
}

type Definition<S extends TSchema> = { readonly schema: S } & Pick<ConfigFile<Static<S>>, 'summary' | 'effect' | 'crossCheck'> &
  Partial<Pick<ConfigFile<Static<S>>, 'readPermission' | 'refersTo' | 'afterReload' | 'changePermission' | 'isNote'>>

/** Declares a config file by its schema. Defaults: read with `admin.configs.read`, no references, no notes; applies on reload, or with `effect` restart after a restart. */
export const defineConfigFile = <S extends TSchema>(file: Definition<S>): ConfigFile<Static<S>> => ({
  readPermission: 'admin.configs.read',
  refersTo: [],
  afterReload: (inForce, next) => (file.effect === 'restart' ? inForce : next),
  changePermission: () => undefined,
  isNote: () => false,
  ...file,
  parse: createParser(file.schema, 'defaults'),
})

export type SomeConfigs = { readonly [N in ConfigName]?: ConfigValues[N] }

/** No other file is available, so rules on other files do not apply. */
export const noOthers: OtherConfigs = { find: () => undefined }

/** `values` in the form that rules between files use. */
export const asOthers = (values: SomeConfigs): OtherConfigs => ({
  find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name],
})

/** `values` with the value of one file replaced. */
export const withConfig = <N extends ConfigName>(values: SomeConfigs, name: N, value: ConfigValues[N]): SomeConfigs => {
  const copy: { -readonly [M in ConfigName]?: ConfigValues[M] } = { ...values }
  copy[name] = value
  return copy
}
