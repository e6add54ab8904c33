import { createHash } from 'node:crypto'

/** The tag of a text in UTF-8, a hash of its bytes. */
export const etagOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64url')
