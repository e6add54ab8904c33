import { type DestinationStream, pino } from 'pino'

/** Structured logging; fields first, then the message. Query strings, bodies, tokens and passwords are never passed in. */
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

/** JSON lines on `destination` (standard output unless told otherwise); keys that could hold a secret are blanked as a second net. */
export const createLog = (level: LogLevel, name: string, destination?: DestinationStream): Log =>
  pino(
    {
      name,
      level,
      redact: {
        paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '[secret]',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? pino.destination(1),
  )
