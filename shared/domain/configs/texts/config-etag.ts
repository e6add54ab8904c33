import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'

/** The error for a save with the tag of a text that is no longer active. */
export const staleConfig = (name: string): AppError =>
  new AppError('stale', 'stale', `${name} has changed since you read it. Read it again, then repeat your change.`)

/** The tag of a text in UTF-8, a hash of its bytes. */
export const etagOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64url')
