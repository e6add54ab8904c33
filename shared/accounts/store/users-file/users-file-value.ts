import { createParser, type ParseResult } from '../../../kernel/schema.ts'
import { Account } from '../../account.ts'
import { normalizeEmail } from '../../email.ts'

const parse = createParser(Account)

/** One entry of a users file as an account, its email as every email is compared, however somebody wrote it. */
export const parseUserEntry = (value: unknown): ParseResult<Account> => {
  const parsed = parse(value)
  if (!parsed.ok) return parsed
  const { email } = parsed.value
  // One of no good shape locks nobody else out: nobody can sign in by it, and that is all.
  return { ok: true, value: { ...parsed.value, email: normalizeEmail(email) ?? email.trim().toLowerCase() } }
}
