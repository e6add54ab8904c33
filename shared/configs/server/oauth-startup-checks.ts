import type { Environment } from '../../services/environment.ts'
import type { ServerConfig } from './server-config.ts'

/** What the environment lacks for the provider `oauth`, in a process that signs people in: the client secret, if it is not there. */
export const findMissingOauthSecret = (
  { role, readSecret }: Pick<Environment, 'role' | 'readSecret'>,
  { auth }: Pick<ServerConfig, 'auth'>,
): readonly string[] => {
  const { clientSecretEnv } = auth.oauth
  if (auth.provider !== 'oauth' || clientSecretEnv === undefined || (role !== 'all' && role !== 'http')) return []
  if (readSecret(clientSecretEnv) !== undefined) return []
  return [
    `the environment variable ${clientSecretEnv}, which auth.oauth.clientSecretEnv in server.yaml names, is not set: set it to the client secret that the identity provider gave out.`,
  ]
}
