import { AppError } from '../../../kernel/errors.ts'
import { catalogue, configNames } from '../catalogue.ts'
import type { Configs } from '../current/configs.ts'
import type { ConfigName, ConfigValues, SomeConfigs } from '../declare/config-file.ts'
import type { ConfigParser } from '../reading/config-parser.ts'
import type { ConfigReader, ConfigText } from '../texts/config-files.ts'

/** The stored config files by value. */
export type StoredConfigs = {
  /** The text; undefined if the stored bytes are not text. Throws AppError `unavailable`. */
  findText(name: ConfigName): Promise<ConfigText | undefined>
  /** The value; undefined if the stored text is broken. Throws AppError `unavailable`. */
  findValue<N extends ConfigName>(name: N): Promise<ConfigValues[N] | undefined>
  /** The value; if the stored text is broken, the active one. */
  read<N extends ConfigName>(name: N): Promise<ConfigValues[N]>
  /** The files needed to check a change of `name`: those that it refers to, those that refer to it, and the references of these. */
  readRelated(name: ConfigName): Promise<SomeConfigs>
}

export type StoredConfigsDeps = {
  readonly files: ConfigReader
  readonly configs: Pick<Configs, 'get'>
  readonly parser: Pick<ConfigParser, 'parse'>
}

/** The files whose rules read `name`. */
export const listDependents = (name: ConfigName): readonly ConfigName[] =>
  configNames.filter((other) => other !== name && catalogue[other].refersTo.includes(name))

const listRelated = (name: ConfigName): ReadonlySet<ConfigName> => {
  const dependents = listDependents(name)
  const related = new Set([...[name, ...dependents].flatMap((one) => catalogue[one].refersTo), ...dependents])
  related.delete(name)
  return related
}

type Values = { -readonly [N in ConfigName]?: ConfigValues[N] }

/** Reads stored configs. Values of valid texts are cached by tag, so that a save parses only its own text. */
export const createStoredConfigs = ({ files, configs, parser }: StoredConfigsDeps): StoredConfigs => {
  const etags = new Map<ConfigName, string>()
  /** The values of the texts with those tags. */
  const values: Values = {}

  const findText = async (name: ConfigName): Promise<ConfigText | undefined> => {
    try {
      return await files.read(name)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'invalid') return undefined
      throw error
    }
  }

  const parse = async <N extends ConfigName>(name: N, { text, etag }: ConfigText): Promise<ConfigValues[N] | undefined> => {
    if (etags.get(name) === etag) return values[name]
    const result = await parser.parse(name, text)
    // Not cached: the text may only have taken too long this time.
    if (!result.ok) return undefined
    values[name] = result.value
    etags.set(name, etag)
    return result.value
  }

  const findValue = async <N extends ConfigName>(name: N): Promise<ConfigValues[N] | undefined> => {
    const text = await findText(name)
    return text && parse(name, text)
  }

  const read = async <N extends ConfigName>(name: N): Promise<ConfigValues[N]> => (await findValue(name)) ?? configs.get(name)

  return {
    findText,
    findValue,
    read,
    readRelated: async (name) => {
      const related: Values = {}
      const readOne = async <N extends ConfigName>(one: N) => {
        related[one] = await read(one)
      }
      for (const one of listRelated(name)) await readOne(one)
      return related
    },
  }
}
