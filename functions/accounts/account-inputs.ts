import { Type } from '@sinclair/typebox'

export const AccountParams = Type.Object({ email: Type.String() })

/** A player id. UUIDs are compared without regard to letter case. */
export const PlayerId = Type.String({ format: 'uuid', description: 'A playerId.' })

/** Names of groups, each once. */
export const GroupNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100, uniqueItems: true })

/** Whether the display name may be one that another account has. */
export const ForceName = Type.Optional(
  Type.Boolean({ description: 'Allows a display name that another account has, but never a reserved one.' }),
)

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
} as const

/** Entries of a page when the caller gives no limit. */
export const pageLimitDefault = 50
