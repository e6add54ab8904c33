import { createParser, type ParseResult } from '../kernel/schema.ts'
import { Account } from './account.ts'

const parse = createParser(Account)

/** One entry of a users file as an account; its email, which people write as they like, trimmed and lower-cased. */
export const parseUserEntry = (value: unknown): ParseResult<Account> => {
  const parsed = parse(value)
  return parsed.ok ? { ok: true, value: { ...parsed.value, email: parsed.value.email.trim().toLowerCase() } } : parsed
}
