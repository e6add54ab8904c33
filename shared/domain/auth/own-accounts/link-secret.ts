import { timingSafeEqual } from 'node:crypto'
import { hashSecret, type Ids, isUuid } from '../../../kernel/ids.ts'

/** What a link carries: which record it is of, and a secret of which the record keeps the hash alone. */
export type LinkCode = { readonly id: string; readonly hash: string }

/** A new code for the record `id`, a UUID; `code` is shown once. */
export const createLinkCode = (ids: Ids, id: string): LinkCode & { readonly code: string } => {
  const secret = ids.secret()
  return { id, hash: hashSecret(secret), code: `${id}.${secret}` }
}

/** Undefined for a text that no link carries. */
export const parseLinkCode = (code: string): LinkCode | undefined => {
  const [id = '', secret = '', ...rest] = code.split('.')
  return isUuid(id) && secret !== '' && rest.length === 0 ? { id: id.toLowerCase(), hash: hashSecret(secret) } : undefined
}

/** Whether the hashes are the same, in a time that tells nothing. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
