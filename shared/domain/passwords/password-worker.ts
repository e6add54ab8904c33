import { hashSync } from 'bcryptjs'

/** One password to hash: `salt` is the cost of a new hash, or the first 29 characters of an old one. */
export type PasswordJob = {
  /** The forms of the password to hash. */
  readonly forms: readonly string[]
  readonly salt: number | string
  /** The job takes as long as hashes of this cost. */
  readonly cost: number
}

const paddingSalt = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuu`

/** A hash takes twice as long with each higher cost. So one extra hash of each cost in between makes up for a lower cost. */
const hashForAsLong = (form: string, salt: number | string, cost: number): string => {
  const own = typeof salt === 'number' ? salt : Number(salt.slice(4, 6))
  for (let missing = own; missing < cost; missing += 1) hashSync(form, paddingSalt(missing))
  return hashSync(form, salt)
}

/** The code of a worker thread: the bcrypt hash of each form. It is synchronous because the thread has no other work. */
export const runPasswordJob = ({ forms, salt, cost }: PasswordJob): readonly string[] =>
  forms.map((form) => hashForAsLong(form, salt, cost))
