import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { isPlainLoopback } from '../../../kernel/loopback.ts'
import { issuerTimeoutSeconds } from './oauth-request.ts'
import type { OauthSettings } from './oauth-settings.ts'

type OauthClient = typeof import('openid-client')

/** The library set up for one provider, and what that says of itself. */
export type ConfiguredClient = {
  readonly client: OauthClient
  readonly config: Configuration
  readonly metadata: ServerMetadata
}

/** How far the provider's clock may differ from ours, in seconds. */
export const clockToleranceSeconds = 30

/** Sets the library up by these settings: discovery, where there is one, by `fetch`, which sees to it itself that nothing takes too long. */
export const createConfigure = ({ issuer, clientId, clientSecret, endpoints }: OauthSettings) => {
  const isPlain = [issuer, ...Object.values(endpoints ?? {})].some((address) => isPlainLoopback(new URL(address)))

  const configureWith = async (client: OauthClient, fetch: CustomFetch, method: SecretMethod): Promise<Configuration> => {
    const auth = method === 'client_secret_post' ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret)
    const metadata = { client_secret: clientSecret, [client.clockTolerance]: clockToleranceSeconds }
    if (endpoints !== undefined) {
      const server = {
        issuer,
        authorization_endpoint: endpoints.authorization,
        token_endpoint: endpoints.token,
        userinfo_endpoint: endpoints.userinfo,
      }
      const config = new client.Configuration(server, clientId, metadata, auth)
      config[client.customFetch] = fetch
      if (isPlain) client.allowInsecureRequests(config)
      return config
    }
    return client.discovery(new URL(issuer), clientId, metadata, auth, {
      [client.customFetch]: fetch,
      timeout: issuerTimeoutSeconds,
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    })
  }

  return async (fetch: CustomFetch, method: SecretMethod): Promise<ConfiguredClient> => {
    // Loaded by the first sign-in: a server without one does not pay for it.
    const client = await import('openid-client')
    const config = await configureWith(client, fetch, method)
    config.timeout = 0
    return { client, config, metadata: config.serverMetadata() }
  }
}

/** Both ways of showing a client secret (RFC 6749, section 2.3.1): providers differ in which one they expect of a client. */
export const secretMethods = ['client_secret_post', 'client_secret_basic'] as const
export type SecretMethod = (typeof secretMethods)[number]

/** Whether the provider may take a secret that is shown in this way, as far as it says. */
export const mayUse = ({ metadata }: ConfiguredClient, method: SecretMethod): boolean => {
  const listed = metadata.token_endpoint_auth_methods_supported
  return listed === undefined || listed.includes(method) || !secretMethods.some((other) => listed.includes(other))
}
