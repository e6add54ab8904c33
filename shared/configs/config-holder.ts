import { isDeepStrictEqual } from 'node:util'
import { AppError, type Fault } from '../kernel/errors.ts'
import { catalogue, configNames } from './catalogue.ts'
import type { ConfigReader } from './config-files.ts'
import type { ConfigName, ConfigValues, OtherConfigs } from './config-values.ts'
import type { ReloadReport } from './configs.ts'
import { describeConfigFault, readConfig } from './read-config.ts'

type Values = { -readonly [N in ConfigName]?: ConfigValues[N] }
/** By what they hold, not by who made them. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(structuredClone(one), structuredClone(other))

type Outcome = 'reloaded' | 'restart-needed' | 'unchanged' | readonly Fault[]

/** The values in force: a file replaces its value only when it is good and takes no restart. */
export type ConfigHolder = {
  get<N extends ConfigName>(name: N): ConfigValues[N]
  readAgain(names: readonly ConfigName[]): Promise<ReloadReport>
}

const othersIn = (values: Values): OtherConfigs => ({
  find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name],
})

/** Every name, after those that it refers to. */
const referredFirst: readonly ConfigName[] = [...new Set(configNames.flatMap((name) => [...catalogue[name].refersTo, name]))]

const readAll = async (files: ConfigReader): Promise<Values> => {
  const values: Values = {}
  const faults: Fault[] = []
  const others = othersIn(values)
  const readOne = async <N extends ConfigName>(name: N) => {
    const result = await readConfig(files, name, others)
    if (result.ok) values[name] = result.value
    else faults.push(...result.faults.map((fault) => ({ ...fault, message: describeConfigFault(name, fault) })))
  }
  for (const name of referredFirst) await readOne(name)
  if (faults.length === 0) return values
  const list = faults.map(({ message }) => message).join('\n')
  throw new AppError('invalid', 'invalid-config', `The configuration is not valid.\n${list}`, { errors: faults })
}

/** Reads every config of the catalogue, or throws AppError `invalid`, slug `invalid-config`, naming each file and fault. */
export const createConfigHolder = async (files: ConfigReader): Promise<ConfigHolder> => {
  const values = await readAll(files)
  const others = othersIn(values)

  const readOneAgain = async <N extends ConfigName>(name: N): Promise<Outcome> => {
    const result = await readConfig(files, name, others)
    if (!result.ok) return result.faults
    if (catalogue[name].effect === 'restart') return isSame(values[name], result.value) ? 'unchanged' : 'restart-needed'
    values[name] = result.value
    return 'reloaded'
  }

  return {
    get: <N extends ConfigName>(name: N): ConfigValues[N] => {
      const value: ConfigValues[N] | undefined = values[name]
      if (value === undefined) throw new Error(`${name} was not read at start`)
      return value
    },
    readAgain: async (names) => {
      const outcomes: { name: ConfigName; outcome: Outcome }[] = []
      for (const name of referredFirst.filter((one) => names.includes(one)))
        outcomes.push({ name, outcome: await readOneAgain(name) })
      const named = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).map(({ name }) => name)
      return {
        reloaded: named('reloaded'),
        restartNeeded: named('restart-needed'),
        failed: outcomes.flatMap(({ name, outcome }) => (typeof outcome === 'string' ? [] : [{ name, errors: outcome }])),
      }
    },
  }
}
