import { AppError } from '../../../kernel/errors.ts'
import type { OauthConfig } from './oauth-config.ts'

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
