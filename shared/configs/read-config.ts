import { AppError, type Fault } from '../kernel/errors.ts'
import type { ParseResult } from '../kernel/schema.ts'
import { catalogue } from './catalogue.ts'
import type { ConfigFile } from './config-file.ts'
import type { ConfigReader } from './config-files.ts'
import type { ConfigName, ConfigValues, OtherConfigs } from './config-values.ts'
import { parseConfig } from './parse-config.ts'

/** The value of a config file as it is now; a file that cannot be read has that as its fault. */
export const readConfig = async <N extends ConfigName>(
  files: ConfigReader,
  name: N,
  others?: OtherConfigs,
): Promise<ParseResult<ConfigValues[N]>> => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  try {
    return parseConfig(file, (await files.read(name)).text, others)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, faults: [{ message: error.publicDetail }] }
  }
}

/** A fault in one line: `groups.yaml:3:5: /groups/0/name: is required`. */
export const describeConfigFault = (name: string, { line, column, pointer, message }: Fault): string => {
  const place = line === undefined ? name : `${name}:${line}:${column ?? 1}`
  return [place, ...(pointer ? [pointer] : []), message].join(': ')
}

/** A broken config file in words fit for the public: where its first fault stands, and nothing of what stands there. */
export const describeBrokenConfig = (name: string, { line, column }: Partial<Fault> = {}): string => {
  const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`
  return `${name} is broken${place}; the last good one stays in force`
}
