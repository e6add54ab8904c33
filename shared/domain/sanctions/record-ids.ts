import { createHash } from 'node:crypto'

export const allPrefix = 'all/'
export const inForcePrefix = 'in-force/'
/** Hashed, because an email may contain a slash or be longer than an id of the store. */
export const accountPrefix = (email: string): string => `account/${createHash('sha256').update(email).digest('base64url')}/`

export const allId = (id: string): string => allPrefix + id
export const inForceId = (id: string): string => inForcePrefix + id
