import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** Identifiers and secrets as a dependency. */
export type Ids = {
  /** A version 4 UUID from a cryptographic source: 122 random bits (RFC 9562, section 5.4). */
  uuid(): string
  /** A secret of 256 random bits as 43 characters of base64url. */
  secret(): string
}

/** Identifiers from Node's cryptographic source. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
}

/** The SHA-256 of a secret as 64 hexadecimal digits: what is stored in its place. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
