import type { Fault } from '../../kernel/errors.ts'
import { catalogue } from '../catalogue.ts'
import type { ConfigFile } from '../declare/config-file.ts'
import type { ConfigName, ConfigValues } from '../declare/config-values.ts'
import { asOthers, type SomeConfigs } from '../declare/some-configs.ts'
import { listDependents } from './stored-configs.ts'

/** The configs around a save of `name`, before and after it. */
export type ConfigTransition = { readonly name: ConfigName; readonly before: SomeConfigs; readonly after: SomeConfigs }

const crossCheck = <N extends ConfigName>(name: N, values: SomeConfigs): readonly Fault[] => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const value: ConfigValues[N] | undefined = values[name]
  return value === undefined ? [] : file.crossCheck(value, asOthers(values))
}

/** What a change of `name` breaks in the files that refer to it, each with the name of the file and the place in it; what was broken before is not counted. */
export const findBrokenDependents = ({ name, before, after }: ConfigTransition): readonly Fault[] =>
  listDependents(name).flatMap((dependent) => {
    const keyOf = ({ pointer, message }: Fault) => `${pointer}\n${message}`
    const known = new Set(crossCheck(dependent, before).map(keyOf))
    return crossCheck(dependent, after)
      .filter((fault) => !known.has(keyOf(fault)))
      .map(({ pointer = '', message }) => ({ message: `${dependent} relies on this, at ${pointer}: ${message}` }))
  })
