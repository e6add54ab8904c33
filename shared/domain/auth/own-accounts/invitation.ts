import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection } from '../../../platform/storage/store.ts'

/** One account for one person who is invited, until a time. */
export const Invitation = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  groups: Type.Optional(Type.Array(Type.String(), { description: 'Of the account to be; absent: the default groups.' })),
  note: Type.Optional(Type.String({ maxLength: 500, description: 'For whom it is; they do not see it.' })),
  by: Type.String({ description: 'The email of who invited.' }),
  at: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
})
export type Invitation = Static<typeof Invitation>

const InvitationRecord = ClosedObject({
  ...Invitation.properties,
  hash: Type.String(),
  takenBy: Type.Optional(Type.String()),
  takenAt: Type.Optional(Type.String({ format: 'date-time' })),
})
export type InvitationRecord = Static<typeof InvitationRecord>

/** Those that nobody has used. While somebody registers with one, it is theirs: `takenBy` their email, `takenAt` when. */
export const invitationRecords = createCollection('invitations', InvitationRecord)
