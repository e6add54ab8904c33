import { timingSafeEqual } from 'node:crypto'
import { hashSecret, type Ids, isUuid } from '../../../kernel/ids.ts'

/** The content of a link: the id of its record, and a secret. The record stores only the hash. */
export type LinkCode = { readonly id: string; readonly hash: string }

/** A new code for the record `id`, a UUID. Show `code` once; it is not stored. */
export const createLinkCode = (ids: Ids, id: string): LinkCode & { readonly code: string } => {
  const secret = ids.secret()
  return { id, hash: hashSecret(secret), code: `${id}.${secret}` }
}

/** Undefined if the text is not a code. */
export const parseLinkCode = (code: string): LinkCode | undefined => {
  const [id = '', secret = '', ...rest] = code.split('.')
  return isUuid(id) && secret !== '' && rest.length === 0 ? { id: id.toLowerCase(), hash: hashSecret(secret) } : undefined
}

/** Compares two hashes in constant time. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
