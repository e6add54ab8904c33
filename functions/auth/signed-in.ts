import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'

/** What every way of signing in answers. */
export const SignedIn = ClosedObject({
  token: Type.String({ format: 'uuid', description: 'A bearer token that lives ten minutes.' }),
  displayName: Type.String(),
  playerId: Type.String({ format: 'uuid' }),
})
