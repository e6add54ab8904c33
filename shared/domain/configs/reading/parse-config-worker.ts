import type { Fault } from '../../../kernel/errors.ts'
import { catalogue } from '../catalogue.ts'
import type { ConfigFile, ConfigName, ConfigValues, OtherConfigs } from '../declare/config-file.ts'
import { type CheckedConfig, checkConfigText, locatePointers } from './parse-config.ts'

/** A text to check, with the values of the files that it refers to. */
export type CheckJob = { readonly name: ConfigName; readonly text: string; readonly others: Partial<ConfigValues> }

/** `checkConfigText` in a worker thread, which it may block. */
export const runCheckJob = ({ name, text, others }: CheckJob): CheckedConfig<ConfigValues[ConfigName]> => {
  const read: OtherConfigs = { find: (other) => others[other] }
  const check = <N extends ConfigName>(one: N) => {
    const file: ConfigFile<ConfigValues[N]> = catalogue[one]
    return checkConfigText(file, text, read)
  }
  return check(name)
}

/** Faults with pointers into valid YAML text, to get line and column. */
export type LocateJob = { readonly text: string; readonly faults: readonly Fault[] }

export const runLocateJob = ({ text, faults }: LocateJob): readonly Fault[] => locatePointers(text, faults)
