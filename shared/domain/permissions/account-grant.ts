import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'

const Instant = Type.String({ format: 'date-time' })

/** More of what groups give, for a time or at a place: a group, or one permission as a group would write it, never one taken away. */
export const AccountGrant = ClosedObject({
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'letters, digits, - and _, at most 64' }),
  group: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  permission: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^(?:\\*|[a-z0-9_][a-z0-9_-]*(?:\\.[a-z0-9_-]+)*(?:\\.\\*)?)$',
      description: 'a lower-case dotted name, the last part of which may be *',
    }),
  ),
  world: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Counts only at places in this world.' })),
  zone: Type.Optional(Type.String({ format: 'uuid', description: 'Counts only at places in this zone.' })),
  until: Type.Optional(Instant),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  by: Type.String({ description: 'The email of who gave it; `operator` for the command line.' }),
  at: Instant,
})
export type AccountGrant = Static<typeof AccountGrant>

/** Where something is done: in a world, and in an enabled zone of it where there is one. */
export type PermissionScope = { readonly world?: string; readonly zone?: string }

/** What decides of an account. */
export type GrantHolder = { readonly groups: readonly string[]; readonly grants?: readonly AccountGrant[] }

/** When a grant ends, in milliseconds; a time that no clock shows ended long ago. */
export const endMsOf = ({ until }: Pick<AccountGrant, 'until'>): number =>
  until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) || 0

/** Whether a grant is not over at that time, wherever it counts. */
export const isGrantInForce = (grant: Pick<AccountGrant, 'until'>, nowMs: number): boolean => endMsOf(grant) > nowMs

/** Whether a grant counts for what is done at `place`; undefined stands for no place at all. */
export const countsAt = ({ world, zone }: Pick<AccountGrant, 'world' | 'zone'>, place: PermissionScope | undefined): boolean =>
  (zone === undefined || zone === place?.zone) && (world === undefined || zone !== undefined || world === place?.world)
