import { hashSync } from 'bcryptjs'

/** One hash to compute: `salt` is the cost of a new one, or the first 29 characters of an old one. */
export type PasswordJob = {
  readonly password: string
  readonly salt: number | string
}

/** What a worker thread runs: the bcrypt hash of a job, computed in one go because nothing else waits for this thread. */
export const runPasswordJob = ({ password, salt }: PasswordJob): string => hashSync(password, salt)
