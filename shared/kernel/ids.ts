import { createHash, randomBytes, randomUUID } from 'node:crypto'

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

/** The SHA-256 of a secret as 64 hexadecimal digits, which is stored instead of the secret. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text has the form of a UUID of any version, in either letter case. Stored ids are in lower case. */
export const isUuid = (text: string): boolean => uuid.test(text)

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/

/** The id of a request: the `X-Request-Id` that the client sent if it is valid, otherwise a new one. */
export const requestIdOf = (sent: unknown, ids: Pick<Ids, 'uuid'>): string =>
  typeof sent === 'string' && saneRequestId.test(sent) ? sent : ids.uuid()
