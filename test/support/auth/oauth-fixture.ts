import type { OauthConfig } from '../../../shared/domain/auth/oauth/oauth-config.ts'
import { createOauthProvider } from '../../../shared/domain/auth/oauth/oauth-provider.ts'
import type { OauthAnswer } from '../../../shared/domain/auth/provider/provider.ts'
import { createAccountFixture } from '../accounts/account-fixture.ts'
import { createFixedConfigs } from '../configs/fixed-configs.ts'
import { createCapturedLog } from '../time/silent-log.ts'
import { issuerClient } from './issuer-client.ts'
import { oauthServer, returnUrl } from './oauth-sign-in.ts'

const configOf = (issuer: string, oauth: object): OauthConfig =>
  createFixedConfigs({ server: oauthServer(issuer, oauth) }).get('server.yaml').auth.oauth

/** The OAuth provider over memory. Its clock starts at the current time, like that of the issuer. */
export const createOauthFixture = async (issuer: string, oauth: object = {}) => {
  const fixture = await createAccountFixture(undefined, Date.now())
  const { log, lines } = createCapturedLog()
  let config = configOf(issuer, oauth)
  const readSecret = (name: string) => (name === issuerClient.secretEnv ? issuerClient.secret : undefined)
  const provider = createOauthProvider({ ...fixture, log, readSecret, oauthConfig: () => config })
  return {
    ...fixture,
    lines,
    provider,
    /** Another process with the same token store and accounts. */
    createOther: () => createOauthProvider({ ...fixture, log, readSecret, oauthConfig: () => config }),
    /** Activates another config, as a reload does. */
    reconfigure: (nextIssuer: string, next: object = {}) => {
      config = configOf(nextIssuer, next)
    },
    /** Completes a sign-in; `answer` returns the parameters that the browser brings back from the issuer. */
    signIn: async (answer: (address: string) => OauthAnswer) => {
      const { redirectTo, browserSecret } = await provider.oauthStartUrl(returnUrl)
      return provider.oauthCallback({ ...answer(redirectTo), browserSecret }, 'request-7')
    },
  }
}

export type OauthFixture = Awaited<ReturnType<typeof createOauthFixture>>
