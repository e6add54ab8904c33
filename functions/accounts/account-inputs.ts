import { Type } from '@sinclair/typebox'

/** Which account, by its email. */
export const AccountParams = Type.Object({ email: Type.String() })

/** Of a player; UUIDs are compared without regard to letter case. */
export const PlayerId = Type.String({ format: 'uuid', description: 'A playerId.' })

/** Names of groups, each once. */
export const GroupNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100, uniqueItems: true })

/** Whether a display name may be one that another account has. */
export const ForceName = Type.Optional(
  Type.Boolean({ description: 'Also a display name that another account has; never a reserved one.' }),
)

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
} as const

/** Entries of a page when the caller does not say. */
export const pageLimitDefault = 50
