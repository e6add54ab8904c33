import { AppError, type Fault } from '../../../kernel/errors.ts'
import { letOthersWork } from '../../../kernel/turns.ts'
import { catalogue, configNames } from '../catalogue.ts'
import { isSame } from '../compare/list-changes.ts'
import { asOthers, type ConfigFile, type ConfigName, type ConfigValues, type OtherConfigs } from '../declare/config-file.ts'
import { type ConfigParser, describeConfigFault, readConfig } from '../reading/config-parser.ts'
import type { ConfigReader } from '../texts/config-files.ts'

type Values = { -readonly [N in ConfigName]?: ConfigValues[N] }

/** The result of reading a file again: is its change active, did its value change, and does a part need a restart? */
type Outcome =
  | { readonly isInForce: boolean; readonly isChanged: boolean; readonly waits: boolean }
  | { readonly faults: readonly Fault[] }

export type ReloadReport = {
  /** Files that were read again. They are active, except for parts that need a restart. */
  readonly reloaded: readonly ConfigName[]
  /** The files of `reloaded` that changed an active value in this process. */
  readonly changed: readonly ConfigName[]
  /** Files with changes that need a restart; their other changes are active now. */
  readonly restartNeeded: readonly ConfigName[]
  /** Files that are broken on disk; the last good version stays active. */
  readonly failed: readonly {
    readonly name: ConfigName
    readonly errors: readonly Fault[]
  }[]
}

/** The active values. A valid file replaces its value, except for parts that need a restart; a broken file does not. */
export type ConfigHolder = {
  get<N extends ConfigName>(name: N): ConfigValues[N]
  /**
   * Reads these files again, and files that refer to them and are broken or would break. Referenced files come first. Yields between
   * files.
   */
  readAgain(names: readonly ConfigName[]): Promise<ReloadReport>
}

export type ConfigHolderDeps = {
  readonly files: ConfigReader
  /** Reasons why these configs are unsafe in this process, each with its fix. */
  readonly findUnsafe: (configs: OtherConfigs) => readonly string[]
  /** Parses long files on a reload without blocking the process; not needed at start. */
  readonly parser?: Pick<ConfigParser, 'parse'>
}

const listWithReferred = (name: ConfigName): readonly ConfigName[] => [
  ...catalogue[name].refersTo.flatMap(listWithReferred),
  name,
]

/** Every name, after the names that it refers to. */
const referredFirst: readonly ConfigName[] = [...new Set(configNames.flatMap(listWithReferred))]

/** These names and those that refer to them, in reading order. */
const listAffected = (names: readonly ConfigName[]): readonly ConfigName[] =>
  referredFirst.filter((name) => listWithReferred(name).some((referred) => names.includes(referred)))

/** Reads the texts of all files at once, so that a start costs one round trip. */
const readAhead = (files: ConfigReader): ConfigReader => {
  const texts = new Map<string, ReturnType<ConfigReader['read']>>(referredFirst.map((name) => [name, files.read(name)]))
  // The later `read` of each file handles its error.
  for (const text of texts.values()) text.catch(() => undefined)
  return { read: (name) => texts.get(name) ?? files.read(name) }
}

const readAll = async (stored: ConfigReader): Promise<Values> => {
  const files = readAhead(stored)
  const values: Values = {}
  const faults: Fault[] = []
  const others = asOthers(values)
  const readOne = async <N extends ConfigName>(name: N) => {
    const result = await readConfig(files, name, { others })
    if (result.ok) values[name] = result.value
    else faults.push(...result.faults.map((fault) => ({ ...fault, message: describeConfigFault(name, fault) })))
  }
  for (const name of referredFirst) await readOne(name)
  if (faults.length === 0) return values
  const list = faults.map(({ message }) => message).join('\n')
  throw new AppError('invalid', 'invalid-config', `The configuration is not valid.\n${list}`, { errors: faults })
}

const reportOf = (outcomes: readonly { readonly name: ConfigName; readonly outcome: Outcome }[]): ReloadReport => {
  const namesWhere = (is: (outcome: Outcome) => boolean) => outcomes.filter(({ outcome }) => is(outcome)).map(({ name }) => name)
  return {
    reloaded: namesWhere((outcome) => 'isInForce' in outcome && outcome.isInForce),
    changed: namesWhere((outcome) => 'isChanged' in outcome && outcome.isChanged),
    restartNeeded: namesWhere((outcome) => 'waits' in outcome && outcome.waits),
    failed: outcomes.flatMap(({ name, outcome }) => ('faults' in outcome ? [{ name, errors: outcome.faults }] : [])),
  }
}

/** Reads every config of the catalogue. Throws AppError `invalid` `invalid-config` with each file and fault. */
export const createConfigHolder = async ({ files, findUnsafe, parser }: ConfigHolderDeps): Promise<ConfigHolder> => {
  const values = await readAll(files)
  const others = asOthers(values)
  const get = <N extends ConfigName>(name: N): ConfigValues[N] => {
    const value: ConfigValues[N] | undefined = values[name]
    if (value === undefined) throw new Error(`${name} was not read at start`)
    return value
  }

  const broken = new Set<ConfigName>()
  const isSound = <N extends ConfigName>(name: N): boolean => {
    const file: ConfigFile<ConfigValues[N]> = catalogue[name]
    return !broken.has(name) && file.crossCheck(get(name), others).length === 0
  }

  const readOneAgain = async <N extends ConfigName>(name: N): Promise<Outcome> => {
    const read = await readConfig(files, name, { others, ...(parser && { parser }) })
    if (!read.ok) return { faults: read.faults }
    const file: ConfigFile<ConfigValues[N]> = catalogue[name]
    const before = get(name)
    const next = file.afterReload(before, read.value)
    const candidates: Values = { ...values }
    candidates[name] = next
    const unsafe = findUnsafe(asOthers(candidates))
    if (unsafe.length > 0) return { faults: unsafe.map((message) => ({ message })) }
    values[name] = next
    const waits = !isSame(next, read.value)
    const isChanged = !isSame(next, before)
    return { isInForce: !waits || isChanged, isChanged, waits }
  }

  return {
    get,
    readAgain: async (names) => {
      const outcomes: { name: ConfigName; outcome: Outcome }[] = []
      for (const name of listAffected(names)) {
        if (!names.includes(name) && isSound(name)) continue
        const outcome = await readOneAgain(name)
        if ('faults' in outcome) broken.add(name)
        else broken.delete(name)
        outcomes.push({ name, outcome })
        await letOthersWork()
      }
      return reportOf(outcomes)
    },
  }
}
