import { AppError, type Fault } from '../../../kernel/errors.ts'
import type { ParseResult } from '../../../kernel/schema.ts'
import { catalogue } from '../catalogue.ts'
import type { ConfigFile } from '../declare/config-file.ts'
import type { ConfigName, ConfigValues, OtherConfigs } from '../declare/config-values.ts'
import { noOthers } from '../declare/some-configs.ts'
import type { ConfigReader } from '../texts/config-files.ts'
import { type ConfigParser, mayRepeat } from './config-parser.ts'
import { parseConfig } from './parse-config.ts'
import { findShippedValue } from './shipped-value.ts'

/** How texts are parsed, and with which other files. */
type ReadConfigOptions = {
  readonly others?: OtherConfigs
  /** For a process that must not block on long texts; default: parse on this thread. */
  readonly parser?: Pick<ConfigParser, 'parse'>
}

/** Texts from this length on go to the thread; shorter ones take about ten milliseconds. */
const asideFromChars = 8192

/** A temporary outage is not a fault of the file: if it were reported as one, the file would not be read again. */
const isOutage = ({ kind, retryAfterSeconds }: AppError): boolean => kind === 'unavailable' && retryAfterSeconds !== undefined

/**
 * The current value of a config file; an unreadable file returns a fault. Throws AppError `unavailable` while its storage is unavailable.
 */
export const readConfig = async <N extends ConfigName>(
  files: ConfigReader,
  name: N,
  { others = noOthers, parser }: ReadConfigOptions = {},
): Promise<ParseResult<ConfigValues[N]>> => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  try {
    const { text } = await files.read(name)
    const shipped = findShippedValue(name, text)
    if (shipped !== undefined && file.crossCheck(shipped, others).length === 0) return { ok: true, value: shipped }
    const isShort = text.length < asideFromChars && !mayRepeat(text)
    if (parser === undefined || isShort) return parseConfig(file, text, others)
    // A failure of the thread is not a fault of the file.
    return await parser.parse(name, text, { others }).catch(() => parseConfig(file, text, others))
  } catch (error) {
    if (!(error instanceof AppError) || isOutage(error)) throw error
    return { ok: false, faults: [{ message: error.publicDetail }] }
  }
}

/** A fault in one line: `groups.yaml:3:5: /groups/0/name: is required`. */
export const describeConfigFault = (name: string, { line, column, pointer, message }: Fault): string => {
  const place = line === undefined ? name : `${name}:${line}:${column ?? 1}`
  return [place, ...(pointer ? [pointer] : []), message].join(': ')
}

/** A broken config file in public words: the place of its first fault, without any content. */
export const describeBrokenConfig = (name: string, { line, column }: Partial<Fault> = {}): string => {
  const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`
  return `${name} is broken${place}; the last good version stays active`
}
