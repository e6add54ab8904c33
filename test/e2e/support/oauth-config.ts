import { issuerClient } from '../../support/auth/issuer-client.ts'
import { quickConfig } from './stage.ts'

/** `quickConfig` with sign-in through `issuer`; members of the provider's group `boss` have all permissions. */
export const oauthConfig = (issuer: string, redirectUri: string, provider = 'oauth'): string =>
  quickConfig.replace(
    /^auth: .*$/m,
    `auth:
  provider: ${provider}
  local: { bcryptCost: 10 }
  oauth:
    issuer: ${issuer}
    clientId: ${issuerClient.id}
    clientSecretEnv: ${issuerClient.secretEnv}
    redirectUri: ${redirectUri}
    allowedReturnUrls: [http://127.0.0.1/]
    groupsClaim: { claim: groups, mapping: { boss: admin } }`,
  )

export const oauthSecret = { [issuerClient.secretEnv]: issuerClient.secret }
