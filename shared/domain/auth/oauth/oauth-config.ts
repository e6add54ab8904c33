import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description }))
const claimName = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }))

const ClaimNames = ClosedObject(
  {
    subject: claimName('A stable id of the person that is never reused. Default `id` with oauth2; always `sub` with oidc.'),
    email: claimName('The email. Default `email`.'),
    emailVerified: claimName('Whether the email is verified. Default `email_verified` with oidc, `verified` with oauth2.'),
    displayName: claimName('The name of a new account. Default `name` with oidc, `global_name` with oauth2.'),
  },
  { default: {}, description: 'Names of the claims, if they differ from the defaults of the type.' },
)

const GroupsClaim = ClosedObject(
  {
    claim: Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'A claim with one value or a list, such as `groups`; for a nested claim its path, such as `realm_access.roles`.',
    }),
    mapping: Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 64 }), {
      description: 'The group of `groups.yaml` for each value of the claim.',
    }),
    denyUnmapped: Type.Boolean({ default: false, description: 'On: refuses a sign-in without a mapped value.' }),
  },
  {
    description:
      'Groups from a claim of the provider, updated at each sign-in. Without it, groups are assigned on this server only.',
  },
)

/** The section `auth.oauth` of `server.yaml`. Keys that the provider `oauth` requires are optional here; `findOauthFaults` checks them. */
export const OauthConfig = ClosedObject(
  {
    type: Type.Union([Type.Literal('oidc'), Type.Literal('oauth2')], {
      default: 'oidc',
      description: '`oidc`: OpenID Connect with discovery. `oauth2`: plain OAuth 2.0 with a userinfo address, such as Discord.',
    }),
    issuer: text(
      'The address of the identity provider as in its metadata, such as `https://accounts.google.com`. Required for sign-in.',
    ),
    clientId: text('The client id of this server at the identity provider. Required for sign-in.'),
    clientSecretEnv: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
        description:
          'The name of the environment variable with the client secret, such as `OAUTH_CLIENT_SECRET`; never the secret itself. Required for sign-in.',
      }),
    ),
    redirectUri: text(
      'Where the identity provider sends the browser back, such as `https://game.example.org/auth/callback`. Required for sign-in.',
    ),
    scopes: Type.String({
      default: 'openid email profile',
      minLength: 1,
      maxLength: 1024,
      description: 'The requested scopes, separated by spaces.',
    }),
    allowedReturnUrls: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      default: [],
      maxItems: 100,
      description:
        'Addresses that may receive a browser with its token. The origin must match exactly; the path is a prefix. `http://127.0.0.1/` is any port of the player’s own machine, for native clients.',
    }),
    authorizationUrl: text('Where the browser signs in. Required with oauth2.'),
    tokenUrl: text('Where the code is exchanged. Required with oauth2.'),
    userinfoUrl: text('Where the server reads the account. Required with oauth2.'),
    claims: ClaimNames,
    groupsClaim: Type.Optional(GroupsClaim),
  },
  { title: 'Identity provider', default: {}, description: 'The identity provider for `provider: oauth`.' },
)
export type OauthConfig = Static<typeof OauthConfig>

/** The complete settings of `auth.oauth`, including the secret: never log them. */
export type OauthSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly scopes: string
  /** Set for plain OAuth 2.0, which has no discovery. */
  readonly endpoints: { readonly authorization: string; readonly token: string; readonly userinfo: string } | undefined
  readonly claims: {
    readonly subject: string
    readonly email: string
    readonly emailVerified: string
    /** The first of these that the provider sends. */
    readonly displayName: readonly string[]
  }
  readonly groupsClaim: OauthConfig['groupsClaim']
}

const notSetUp = (what: string) =>
  new AppError(
    'unavailable',
    'identity-provider-unavailable',
    'Sign-in through the identity provider is not fully configured. An operator can find the missing setting in the log.',
    { cause: new Error(what), retryAfterSeconds: 60 },
  )

const readClaims = ({ type, claims }: OauthConfig): OauthSettings['claims'] => {
  const isOidc = type === 'oidc'
  return {
    subject: isOidc ? 'sub' : (claims.subject ?? 'id'),
    email: claims.email ?? 'email',
    emailVerified: claims.emailVerified ?? (isOidc ? 'email_verified' : 'verified'),
    displayName: claims.displayName
      ? [claims.displayName]
      : isOidc
        ? ['name', 'nickname', 'preferred_username']
        : ['global_name', 'name', 'username', 'login'],
  }
}

const readEndpoints = ({ type, authorizationUrl, tokenUrl, userinfoUrl }: OauthConfig): OauthSettings['endpoints'] => {
  if (type === 'oidc') return undefined
  if (!authorizationUrl || !tokenUrl || !userinfoUrl) throw notSetUp('an address of auth.oauth is missing in server.yaml')
  return { authorization: authorizationUrl, token: tokenUrl, userinfo: userinfoUrl }
}

/** The current settings. Throws AppError `unavailable`; its cause names the missing key or environment variable. */
export const readOauthSettings = (config: OauthConfig, readSecret: (variable: string) => string | undefined): OauthSettings => {
  const { issuer, clientId, clientSecretEnv, redirectUri, scopes, groupsClaim } = config
  if (!issuer || !clientId || !clientSecretEnv || !redirectUri) throw notSetUp('a key of auth.oauth is missing in server.yaml')
  const clientSecret = readSecret(clientSecretEnv)
  if (clientSecret === undefined)
    throw notSetUp(`the environment variable ${clientSecretEnv}, which auth.oauth.clientSecretEnv names, is not set`)
  const endpoints = readEndpoints(config)
  return { issuer, clientId, clientSecret, redirectUri, scopes, endpoints, claims: readClaims(config), groupsClaim }
}
