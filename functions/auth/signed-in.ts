import { Type } from '@sinclair/typebox'
import { FailedSignIns } from '../../shared/domain/accounts/failed-sign-ins.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'

const signedIn = {
  token: Type.String({ format: 'uuid', description: 'A bearer token, valid for ten minutes.' }),
  displayName: Type.String(),
  playerId: Type.String({ format: 'uuid' }),
}

/** The answer to a renewal. */
export const Renewed = ClosedObject(signedIn)

/** The answer to a new sign-in. */
export const SignedIn = ClosedObject({
  ...signedIn,
  verified: Type.Boolean({
    description:
      'True if the password matched. False where the server requires none and the password was wrong, missing, or the account has none. An account with a password then has the permissions of the default groups, and no privileged permission applies.',
  }),
  /** Wrong passwords since the last verified sign-in by password. Absent if there were none. */
  failed: Type.Optional(FailedSignIns),
})
