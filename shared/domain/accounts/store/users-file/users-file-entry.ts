import { Type } from '@sinclair/typebox'
import { isUuid } from '../../../../kernel/ids.ts'
import { createParser, type ParseResult } from '../../../../kernel/schema.ts'
import { AccountGrant } from '../../../permissions/account-grant.ts'
import { Account } from '../../account.ts'
import { foldEmail, normalizeEmail } from '../../email.ts'

const email = /^[A-Za-z0-9_][A-Za-z0-9._+-]*@[A-Za-z0-9.-]*[A-Za-z0-9]$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const bcrypt = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/
const words = /^[\p{L}_][\p{L}\p{N}_./-]*(?: [\p{L}\p{N}_./-]+)*$/u
/** Words that some version of YAML reads as a boolean or as null. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const group = /^[A-Za-z_][A-Za-z0-9_.-]*$/
const quoted = /^"(?:[^"\\]|\\.)*"$/
const quotedList = /^\["(?:[^"\\]|\\.)*"(?:, "(?:[^"\\]|\\.)*")*\]$/
const lists = new Set(['groups', 'mappedGroups', 'claimedGroups'])

const isPlain = (text: string): boolean =>
  !reserved.test(text) && (words.test(text) || email.test(text) || isUuid(text) || dateTime.test(text) || bcrypt.test(text))

/** Strings of JSON are valid YAML, except for characters that YAML does not count as printable. */
const quote = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const formatText = (text: string): string => (isPlain(text) ? text : quote(text))
const isPlainName = (name: string): boolean => group.test(name) && !reserved.test(name)
/** All plain or all quoted: plain lists are read by splitting, quoted ones as JSON. */
const formatList = (names: readonly string[]): string => `[${names.map(names.every(isPlainName) ? String : quote).join(', ')}]`

/** JSON, which is valid YAML, on one line. */
const formatGrants = (grants: readonly AccountGrant[]): string => {
  const format = (grant: AccountGrant) => Object.entries(grant).map(([key, value]) => `"${key}": ${quote(value)}`)
  return `[${grants.map((grant) => `{${format(grant).join(', ')}}`).join(', ')}]`
}

/** An account as a block of YAML, one key a line in the order of the schema. Its dash is indented by `indent` spaces. */
export const formatEntry = (account: Account, indent: number): string => {
  const lines = [
    `email: ${formatText(account.email)}`,
    `playerId: ${formatText(account.playerId)}`,
    `displayName: ${formatText(account.displayName)}`,
    ...(account.passwordHash === undefined ? [] : [`passwordHash: ${formatText(account.passwordHash)}`]),
    ...(account.passwordKind === undefined ? [] : [`passwordKind: ${formatText(account.passwordKind)}`]),
    `groups: ${formatList(account.groups)}`,
    ...(account.subject === undefined ? [] : [`subject: ${formatText(account.subject)}`]),
    ...(account.mappedGroups === undefined ? [] : [`mappedGroups: ${formatList(account.mappedGroups)}`]),
    ...(account.claimedGroups === undefined ? [] : [`claimedGroups: ${formatList(account.claimedGroups)}`]),
    ...(account.emailProof === undefined ? [] : [`emailProof: ${formatText(account.emailProof)}`]),
    ...(account.grants === undefined ? [] : [`grants: ${formatGrants(account.grants)}`]),
    `createdAt: ${formatText(account.createdAt)}`,
  ]
  return lines.map((line, at) => `${' '.repeat(indent)}${at === 0 ? '- ' : '  '}${line}\n`).join('')
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readText = (text: string): string | undefined => {
  if (isPlain(text)) return text
  const value = quoted.test(text) ? readJson(text) : undefined
  return typeof value === 'string' ? value : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

const readList = (text: string): string[] | undefined => {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined
  if (quotedList.test(text)) {
    const values = readJson(text)
    return Array.isArray(values) && values.every(isText) ? values : undefined
  }
  const names = text === '[]' ? [] : text.slice(1, -1).split(', ')
  return names.every(isPlainName) ? names : undefined
}

const parseGrants = createParser(Type.Array(AccountGrant))

/** Accepts only text that formats back to itself: JSON allows duplicate keys, YAML does not. */
const readGrants = (text: string): AccountGrant[] | undefined => {
  const parsed = parseGrants(readJson(text))
  return parsed.ok && formatGrants(parsed.value) === text ? parsed.value : undefined
}

/**
 * Parses a block in the style of `formatEntry`, ignoring comment lines; undefined for every other style. It takes microseconds, while a
 * YAML parser takes 0.1 ms, and never reads a text differently.
 */
export const parsePlainEntry = (source: string, indent: number): Record<string, unknown> | undefined => {
  const entry: Record<string, unknown> = {}
  const [dash, inner] = [`${' '.repeat(indent)}- `, ' '.repeat(indent + 2)]
  let isFirst = true
  for (const raw of source.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (!isFirst && /^ *(?:#|$)/.test(line)) continue
    if (!line.startsWith(isFirst ? dash : inner)) return undefined
    isFirst = false
    const [, key, text] = /^([A-Za-z]+): (.+)$/.exec(line.slice(indent + 2)) ?? []
    if (key === undefined || text === undefined || Object.hasOwn(entry, key)) return undefined
    const value = key === 'grants' ? readGrants(text) : lists.has(key) ? readList(text) : readText(text)
    if (value === undefined) return undefined
    entry[key] = value
  }
  return entry
}

const parse = createParser(Account)

/** One entry of a users file as an account, with its email normalized. */
export const parseUserEntry = (value: unknown): ParseResult<Account> => {
  const parsed = parse(value)
  if (!parsed.ok) return parsed
  const { email } = parsed.value
  // A malformed email must not make the file unreadable: it only prevents sign-in to this account.
  return { ok: true, value: { ...parsed.value, email: normalizeEmail(email) ?? foldEmail(email) } }
}
