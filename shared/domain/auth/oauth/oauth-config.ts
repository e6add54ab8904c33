import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description }))
const claimName = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }))

const ClaimNames = ClosedObject(
  {
    subject: claimName(
      'Who it is: never changes, never given to somebody else. Without it `id` with oauth2; always `sub` with oidc.',
    ),
    email: claimName('The email; without it `email`.'),
    emailVerified: claimName('Whether the email was verified; without it `email_verified` with oidc, `verified` with oauth2.'),
    displayName: claimName('The name of a new account; without it `name` with oidc, `global_name` with oauth2.'),
  },
  { default: {}, description: 'What the provider calls the facts that it tells, where it differs from its kind.' },
)

const GroupsClaim = ClosedObject(
  {
    claim: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The claim that holds a value or a list of them: `groups`, or, where it is nested, `realm_access.roles`.',
    }),
    mapping: Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 64 }), {
      description: 'The group of `groups.yaml` that each value of the claim puts an account into.',
    }),
    denyUnmapped: Type.Boolean({ default: false, description: 'On: nobody comes in without a value that is mapped.' }),
  },
  { description: 'Groups by what the provider says, decided anew at each sign-in; without it groups are granted here alone.' },
)

/** The section `auth.oauth` of `server.yaml`. What the provider `oauth` cannot do without is optional here, and asked for by `findOauthFaults`. */
export const OauthConfig = ClosedObject(
  {
    type: Type.Union([Type.Literal('oidc'), Type.Literal('oauth2')], {
      default: 'oidc',
      description: '`oidc`: OpenID Connect with discovery. `oauth2`: plain OAuth 2.0 with a userinfo address, such as Discord.',
    }),
    issuer: text(
      'The address of the identity provider as it names itself: `https://accounts.google.com`. No sign-in without it.',
    ),
    clientId: text('What the identity provider calls this server. No sign-in without it.'),
    clientSecretEnv: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
        description:
          'The name of the environment variable that holds the client secret, such as `OAUTH_CLIENT_SECRET`; never the secret. No sign-in without it.',
      }),
    ),
    redirectUri: text(
      'Where the identity provider sends the browser back to: `https://game.example.org/auth/callback`. No sign-in without it.',
    ),
    scopes: Type.String({
      default: 'openid email profile',
      minLength: 1,
      maxLength: 1024,
      description: 'What is asked for, with spaces between.',
    }),
    allowedReturnUrls: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      default: [],
      maxItems: 100,
      description:
        'Where a browser may be sent with its token: the exact origin, the path as a prefix. `http://127.0.0.1/` is any port of the player’s own machine, for native clients.',
    }),
    authorizationUrl: text('With oauth2, no sign-in without it: where the browser signs in.'),
    tokenUrl: text('With oauth2, no sign-in without it: where the code is exchanged.'),
    userinfoUrl: text('With oauth2, no sign-in without it: where the account is described.'),
    claims: ClaimNames,
    groupsClaim: Type.Optional(GroupsClaim),
  },
  { default: {}, description: 'An identity provider, for the provider `oauth`.' },
)
export type OauthConfig = Static<typeof OauthConfig>
