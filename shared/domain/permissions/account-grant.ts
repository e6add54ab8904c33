import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'

const Instant = Type.String({ format: 'date-time' })

/** A group or a permission that an account has for a time or at a place. A grant never takes a permission away. */
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
  by: Type.String({ description: 'The email of the granting account; `operator` for the command line.' }),
  at: Instant,
})
export type AccountGrant = Static<typeof AccountGrant>

/** A place: a world, and the enabled zone in it, if any. */
export type PermissionScope = { readonly world?: string; readonly zone?: string }

/** The fields of an account that decide its permissions. */
export type GrantHolder = { readonly groups: readonly string[]; readonly grants?: readonly AccountGrant[] }

/** The end of a grant in milliseconds. An unreadable time counts as ended. */
export const endMsOf = ({ until }: Pick<AccountGrant, 'until'>): number =>
  until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) || 0

/** Whether a grant has not ended at that time, at any place. */
export const isGrantInForce = (grant: Pick<AccountGrant, 'until'>, nowMs: number): boolean => endMsOf(grant) > nowMs

/** Whether a grant counts at `place`; undefined means no place. */
export const countsAt = ({ world, zone }: Pick<AccountGrant, 'world' | 'zone'>, place: PermissionScope | undefined): boolean =>
  (zone === undefined || zone === place?.zone) && (world === undefined || zone !== undefined || world === place?.world)
