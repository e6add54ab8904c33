import { isIP } from 'node:net'
import { AppError } from '../../kernel/errors.ts'
import { parseRedisUrl } from '../storage/redis/redis-url.ts'

/** The value of a text, or its fault as the end of a sentence that starts with the variable's name. */
export type ReadText<T> = { readonly value: T } | { readonly fault: string }

/** Reads the text of a variable. Never repeats a text that may include a password. */
export type Form<T> = (text: string) => ReadText<T>

/** Any text. */
export const anyText: Form<string> = (value) => ({ value })

/** A text that matches the pattern. */
export const textOf =
  (pattern: RegExp, describe: (text: string) => string): Form<string> =>
  (value) =>
    pattern.test(value) ? { value } : { fault: describe(value) }

/** A whole number whose digits match the pattern, at most `max`. */
const numberOf =
  (digits: RegExp, max: number, describe: (text: string) => string): Form<number> =>
  (text) =>
    digits.test(text) && Number(text) <= max ? { value: Number(text) } : { fault: describe(text) }

export const port = numberOf(/^\d{1,5}$/, 65_535, (text) => `"${text}" is not a port: use a number in 0…65535`)

export const milliseconds = numberOf(
  /^\d{1,6}$/,
  999_999,
  (text) => `"${text}" is not a whole number of milliseconds in 0…999999`,
)

export const patience = numberOf(
  /^[1-9]\d{2,4}$/,
  60_000,
  (text) => `"${text}" is not a whole number of milliseconds in 100…60000`,
)

export const secondsUpToAnHour = numberOf(
  /^[1-9]\d{0,3}$/,
  3600,
  (text) => `"${text}" is not a whole number of seconds in 1…3600`,
)

/** One of several words. */
export const choice =
  <T extends string>(choices: readonly T[]): Form<T> =>
  (text) => {
    const value = choices.find((candidate) => candidate === text)
    return value === undefined ? { fault: `"${text}" is not one of ${choices.join(', ')}` } : { value }
  }

/** `true` or `false`. */
export const flag: Form<boolean> = (text) => {
  const read = choice(['true', 'false'])(text)
  return 'fault' in read ? read : { value: read.value === 'true' }
}

/** An address or a host name. */
export const host: Form<string> = (value) =>
  isIP(value) === 0 && !/^[A-Za-z0-9.-]{1,253}$/.test(value)
    ? { fault: `"${value}" is neither an address nor a host name` }
    : { value }

/** Names of worlds, separated by commas, without duplicates. */
export const worldNames: Form<readonly [string, ...string[]]> = (text) => {
  const [first = '', ...others] = text.split(',').map((name) => name.trim())
  const value = [first, ...others] as const
  if (!value.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)))
    return { fault: 'use 1 to 64 letters, digits, _ or -, or several such names separated by commas' }
  return new Set(value).size < value.length ? { fault: 'has a duplicate world name' } : { value }
}

const findUrlFault = (text: string, schemes: readonly string[]): string | undefined => {
  const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ')
  if (!URL.canParse(text)) return `is not a URL: it must start with ${beginnings}`
  const { protocol, username, password, search, hash } = new URL(text)
  if (!schemes.includes(protocol.slice(0, -1))) return `must start with ${beginnings}`
  if (username || password) return 'must not contain a user name or password'
  return search || hash ? 'must not contain a query or fragment' : undefined
}

/** The address of a server, without a trailing slash. */
export const url =
  (...schemes: readonly string[]): Form<string> =>
  (text) => {
    const fault = findUrlFault(text, schemes)
    return fault === undefined ? { value: text.replace(/\/+$/, '') } : { fault }
  }

/** Any URL that the Redis connection accepts. */
export const redisUrl: Form<string> = (value) => {
  try {
    parseRedisUrl(value)
    return { value }
  } catch (error) {
    return { fault: error instanceof AppError ? error.publicDetail : 'cannot be read' }
  }
}
