import { type Static, Type } from '@sinclair/typebox'

/** An account as `users.yaml` holds it; `email` is trimmed and lower-cased, `createdAt` is ISO 8601 UTC. */
export const Account = Type.Object(
  {
    email: Type.String(),
    playerId: Type.String({ format: 'uuid' }),
    displayName: Type.String({ minLength: 1, maxLength: 32 }),
    /** bcrypt. Never leaves the process in an answer, a log line or an audit entry. */
    passwordHash: Type.Optional(Type.String()),
    groups: Type.Array(Type.String(), { uniqueItems: true }),
    /** Issuer and `sub` at an identity provider. */
    subject: Type.Optional(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
)
export type Account = Static<typeof Account>
