import { AppError, type Fault } from '../../../kernel/errors.ts'
import { createSerialQueue } from '../../../kernel/queue.ts'
import type { ParseResult } from '../../../kernel/schema.ts'
import { createThreadPool, type ThreadPool } from '../../../kernel/thread-pool.ts'
import { moduleBeside } from '../../../platform/process/module-beside.ts'
import { codeOf } from '../../../platform/storage/files/code-of.ts'
import { catalogue } from '../catalogue.ts'
import { type ConfigFile, type ConfigName, type ConfigValues, noOthers, type OtherConfigs } from '../declare/config-file.ts'
import { type ConfigReader, configBytesMax } from '../texts/config-files.ts'
import { type CheckedConfig, checkConfigText, concludeCheck, locatePointers, parseConfig } from './parse-config.ts'
import type { CheckJob, LocateJob } from './parse-config-worker.ts'
import { findShippedValue } from './shipped-value.ts'

export type ParseRules<T> = {
  readonly others?: OtherConfigs
  /** Further rules: returns every fault with its JSON Pointer. */
  readonly besides?: (value: T) => readonly Fault[]
}

export type ConfigParser = {
  /** The result of `parseConfig` and of `besides`, without blocking the event loop. Throws AppError `unavailable` if too many wait. */
  parse<N extends ConfigName>(name: N, text: string, rules?: ParseRules<ConfigValues[N]>): Promise<ParseResult<ConfigValues[N]>>
  /** Adds line and column to faults whose pointers lead into `text`. */
  locate(text: string, faults: readonly Fault[]): Promise<readonly Fault[]> | readonly Fault[]
  /** Resolves when all requested work is done and the thread has ended. */
  close(): Promise<void>
}

export type ConfigParserOptions = {
  /** Texts up to this size without aliases are parsed on this thread, in about ten milliseconds; default 4,096. */
  readonly inlineBytesMax?: number
  /** Timeout in milliseconds; no hand-written text takes longer. Default 10,000. */
  readonly timeoutMs?: number
}

const idleMs = 30_000
const waitingMax = 16
const memoryMaxMiB = 512

const createPool = (): ThreadPool<CheckJob | LocateJob> =>
  createThreadPool({
    module: moduleBeside('parse-config-worker', import.meta.url),
    name: 'runCheckJob',
    maxThreads: 1,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMaxMiB },
  })

const pickValues = (others: OtherConfigs, names: readonly ConfigName[]): Partial<ConfigValues> => {
  const values: Partial<ConfigValues> = {}
  const pick = <N extends ConfigName>(name: N): void => {
    const value: ConfigValues[N] | undefined = others.find(name)
    if (value !== undefined) values[name] = value
  }
  for (const name of names) pick(name)
  return values
}

/** Whether the text may contain an anchor and an alias of it. */
const mayRepeat = (text: string): boolean => text.includes('&') && text.includes('*')

const isGivenUp = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'

/**
 * Reads config texts like `parseConfig` without blocking ticks or requests. Longer texts go to a thread, which starts with the first of
 * them and ends after 30 seconds without one.
 */
export const createConfigParser = ({ inlineBytesMax = 4096, timeoutMs = 10_000 }: ConfigParserOptions = {}): ConfigParser => {
  let pool: ThreadPool<CheckJob | LocateJob> | undefined
  let closed = false
  let waiting = 0
  const inTurn = createSerialQueue()

  /** One after another, so that the timeout of each begins when it runs. */
  const enqueue = <Answer>(name: string, job: CheckJob | LocateJob): Promise<Answer> => {
    if (closed || waiting >= waitingMax)
      throw new AppError(
        'unavailable',
        'service-unavailable',
        'Too many config files are being checked. Try again in a moment.',
        {
          retryAfterSeconds: 1,
        },
      )
    waiting += 1
    pool ??= createPool()
    const threads = pool
    return inTurn(async () => {
      try {
        return await threads.run<Answer>(job, { name, signal: AbortSignal.timeout(timeoutMs) })
      } finally {
        waiting -= 1
      }
    })
  }

  /** A short text with anchors and aliases may expand to a long one. */
  const isShort = (text: string): boolean =>
    Buffer.byteLength(text) <= inlineBytesMax && (inlineBytesMax >= configBytesMax || !mayRepeat(text))

  const check = async <N extends ConfigName>(
    name: N,
    text: string,
    others: OtherConfigs,
  ): Promise<CheckedConfig<ConfigValues[N]>> => {
    const file: ConfigFile<ConfigValues[N]> = catalogue[name]
    // A text that is too large is refused without parsing.
    if (isShort(text) || Buffer.byteLength(text) > configBytesMax) return checkConfigText(file, text, others)
    try {
      return await enqueue('runCheckJob', { name, text, others: pickValues(others, file.refersTo) })
    } catch (error) {
      if (!isGivenUp(error)) throw error
      return { faults: [{ line: 1, column: 1, message: 'takes too long to read: make it smaller or simpler' }], omitted: 0 }
    }
  }

  const locate = (text: string, faults: readonly Fault[]): Promise<readonly Fault[]> | readonly Fault[] =>
    isShort(text)
      ? locatePointers(text, faults)
      : enqueue<readonly Fault[]>('runLocateJob', { text, faults }).catch((error: unknown) => {
          if (!isGivenUp(error)) throw error
          return faults
        })

  return {
    parse: async (name, text, { others = noOthers, besides } = {}) => {
      const checked = await check(name, text, others)
      const more = checked.value === undefined ? [] : (besides?.(checked.value) ?? [])
      return concludeCheck(checked, more.length > 0 ? await locate(text, more.slice(0, 100)) : [])
    },
    locate,
    close: async () => {
      closed = true
      await inTurn(async () => undefined)
      await pool?.close()
    },
  }
}

/** How texts are parsed, and with which other files. */
type ReadConfigOptions = {
  readonly others?: OtherConfigs
  /** For a process that must not block on long texts; default: parse on this thread. */
  readonly parser?: Pick<ConfigParser, 'parse'>
}

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
    if (parser === undefined) return parseConfig(file, text, others)
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
