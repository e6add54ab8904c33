import { isatty } from 'node:tty'
import { type DestinationStream, pino, stdSerializers } from 'pino'
import { formatForTerminal } from './terminal-log.ts'

/** Structured logging: fields first, then the message. Never pass query strings, bodies, tokens or passwords. */
export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Log
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const secretKeys = ['password', 'passwordHash', 'token', 'resumeToken', 'authorization', 'cookie', 'secret', 'claim']

export type LogOptions = {
  readonly level: LogLevel
  readonly name: string
  /** Standard output when absent. */
  readonly destination?: DestinationStream | undefined
  /** Extra fields of each line, read when it is written. */
  readonly fields?: () => object
}

/** Leaves out the 25 constants that every DOMException inherits. They would be in each line of a request that took too long. */
const describeError = (error: unknown): unknown =>
  error instanceof DOMException
    ? { type: error.name, message: error.message, stack: error.stack }
    : stdSerializers.err(error as Error)

/** Standard output: JSON lines, or short lines on a terminal. */
const openStandardOutput = (): DestinationStream => {
  const output = pino.destination(1)
  return isatty(1) ? { write: (line) => void output.write(formatForTerminal(line)) } : output
}

/** Writes JSON lines to `destination`. As a second safeguard, blanks keys that could have a secret. */
export const openLog = ({ level, name, destination, fields }: LogOptions): Log =>
  pino(
    {
      name,
      level,
      ...(fields && { mixin: fields }),
      redact: {
        paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '[secret]',
      },
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? openStandardOutput(),
  )

/** As `openLog`, without extra fields. */
export const createLog = (level: LogLevel, name: string, destination?: DestinationStream): Log =>
  openLog({ level, name, destination })
