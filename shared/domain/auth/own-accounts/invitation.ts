import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection } from '../../../platform/storage/store.ts'

/** Lets one person register one account, until it expires. */
export const Invitation = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  groups: Type.Optional(Type.Array(Type.String(), { description: 'Groups of the new account; absent: the default groups.' })),
  note: Type.Optional(Type.String({ maxLength: 500, description: 'A note for admins; the invited person does not see it.' })),
  by: Type.String({ description: 'The email of the inviter.' }),
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

/** Unused invitations. During a registration, `takenBy` is the email that registers and `takenAt` the start. */
export const invitationRecords = createCollection('invitations', InvitationRecord)
