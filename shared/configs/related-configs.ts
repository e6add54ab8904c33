import type { Fault } from '../kernel/errors.ts'
import { catalogue, configNames } from './catalogue.ts'
import type { ConfigFile } from './config-file.ts'
import type { ConfigReader } from './config-files.ts'
import type { ConfigName, ConfigValues, OtherConfigs } from './config-values.ts'
import type { Configs } from './configs.ts'
import { readConfig } from './read-config.ts'

/** Config values by name, of some files. */
export type SomeConfigs = { readonly [N in ConfigName]?: ConfigValues[N] }

type Values = { -readonly [N in ConfigName]?: ConfigValues[N] }

/** `values` as rules between files look at them. */
export const asOthers = (values: SomeConfigs): OtherConfigs => ({
  find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name],
})

/** `values` with another value of one file. */
export const withConfig = <N extends ConfigName>(values: SomeConfigs, name: N, value: ConfigValues[N]): SomeConfigs => {
  const copy: Values = { ...values }
  copy[name] = value
  return copy
}

const listDependents = (name: ConfigName): readonly ConfigName[] =>
  configNames.filter((other) => other !== name && catalogue[other].refersTo.includes(name))

/** The files that a change of `name` is checked against: those it refers to, those that refer to it, and what these refer to. */
const listRelated = (name: ConfigName): ReadonlySet<ConfigName> => {
  const dependents = listDependents(name)
  const related = new Set([name, ...dependents].flatMap((one) => catalogue[one].refersTo).concat(dependents))
  related.delete(name)
  return related
}

/** The value of a file as it is stored, and the one in force where that is broken by itself. */
export const readStored = async <N extends ConfigName>(
  files: ConfigReader,
  configs: Pick<Configs, 'get'>,
  name: N,
): Promise<ConfigValues[N]> => {
  const read = await readConfig(files, name)
  return read.ok ? read.value : configs.get(name)
}

/** What a change of `name` is checked against besides itself: the related files as they are stored, those in force where they are broken. */
export const readRelated = async (files: ConfigReader, configs: Pick<Configs, 'get'>, name: ConfigName): Promise<SomeConfigs> => {
  const values: Values = {}
  const readOne = async <N extends ConfigName>(related: N) => {
    values[related] = await readStored(files, configs, related)
  }
  for (const related of listRelated(name)) await readOne(related)
  return values
}

const crossCheck = <N extends ConfigName>(name: N, values: SomeConfigs): readonly Fault[] => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const value: ConfigValues[N] | undefined = values[name]
  return value === undefined ? [] : file.crossCheck(value, asOthers(values))
}

/** What a change of `name` breaks in the files that refer to it, by the name of the file; what was broken before is not counted. */
export const findBrokenDependents = (name: ConfigName, before: SomeConfigs, after: SomeConfigs): readonly Fault[] =>
  listDependents(name).flatMap((dependent) => {
    const keyOf = ({ pointer, message }: Fault) => `${pointer}\n${message}`
    const known = new Set(crossCheck(dependent, before).map(keyOf))
    return crossCheck(dependent, after)
      .filter((fault) => !known.has(keyOf(fault)))
      .map(({ pointer, message }) => ({ message: `${dependent} relies on this, at ${pointer ?? '/'}: ${message}` }))
  })
