import { Type } from '@sinclair/typebox'

/** What every way of signing in answers. */
export const SignedIn = Type.Object(
  {
    token: Type.String({ format: 'uuid', description: 'A bearer token that lives ten minutes.' }),
    displayName: Type.String(),
    playerId: Type.String({ format: 'uuid' }),
  },
  { additionalProperties: false },
)
