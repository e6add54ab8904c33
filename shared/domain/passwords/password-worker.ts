import { hashSync } from 'bcryptjs'

/** One password to hash: `salt` is the cost of a new hash, or the first 29 characters of an old one. */
export type PasswordJob = {
  /** The password in each form that counts. */
  readonly forms: readonly string[]
  readonly salt: number | string
  /** The job takes as long as hashes of this cost. */
  readonly cost: number
}

const paddingSalt = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuu`

/** A hash of each higher cost takes as long as all below it together, so one of each makes up for a lower cost. */
const hashForAsLong = (form: string, salt: number | string, cost: number): string => {
  const own = typeof salt === 'number' ? salt : Number(salt.slice(4, 6))
  for (let missing = own; missing < cost; missing += 1) hashSync(form, paddingSalt(missing))
  return hashSync(form, salt)
}

/** What a worker thread runs: the bcrypt hash of each form, computed in one go because nothing else waits for this thread. */
export const runPasswordJob = ({ forms, salt, cost }: PasswordJob): readonly string[] =>
  forms.map((form) => hashForAsLong(form, salt, cost))
