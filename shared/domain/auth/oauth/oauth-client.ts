import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { isPlainLoopback } from '../../../kernel/loopback.ts'
import type { OauthSettings } from './oauth-config.ts'
import { issuerTimeoutSeconds } from './oauth-request.ts'

type OauthClient = typeof import('openid-client')

/** The client library configured for one provider, with the provider's metadata. */
export type ConfiguredClient = {
  readonly client: OauthClient
  readonly config: Configuration
  readonly metadata: ServerMetadata
}

/** How far the provider's clock may differ from ours, in seconds. */
export const clockToleranceSeconds = 30

/** Configures the library with these settings, using discovery if the provider has it. `fetch` enforces its own timeout. */
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
    // Loaded at the first sign-in, so that servers without a provider do not pay for it.
    const client = await import('openid-client')
    const config = await configureWith(client, fetch, method)
    config.timeout = 0
    return { client, config, metadata: config.serverMetadata() }
  }
}

/** Both ways to send a client secret (RFC 6749, section 2.3.1): providers differ in which one they accept. */
export const secretMethods = ['client_secret_post', 'client_secret_basic'] as const
export type SecretMethod = (typeof secretMethods)[number]

/** Whether the provider may accept a secret sent in this way, according to its metadata. */
export const mayUse = ({ metadata }: ConfiguredClient, method: SecretMethod): boolean => {
  const listed = metadata.token_endpoint_auth_methods_supported
  return listed === undefined || listed.includes(method) || !secretMethods.some((other) => listed.includes(other))
}
