import { isLoopback, isWithinMachine } from '../../../kernel/loopback.ts'
import type { Environment } from '../../../platform/process/environment.ts'
import type { ServerConfig } from './server-config.ts'

/** The fault of a missing client secret for the provider `oauth`, in a process that handles sign-ins. */
const findMissingOauthSecret = (
  { role, readSecret }: Pick<Environment, 'role' | 'readSecret'>,
  { auth }: Pick<ServerConfig, 'auth'>,
): readonly string[] => {
  const { clientSecretEnv } = auth.oauth
  if (auth.provider !== 'oauth' || clientSecretEnv === undefined || (role !== 'all' && role !== 'http')) return []
  if (readSecret(clientSecretEnv) !== undefined) return []
  return [
    `the environment variable ${clientSecretEnv}, named by auth.oauth.clientSecretEnv in server.yaml, is not set: set it to the client secret of the identity provider.`,
  ]
}

export type StartupFacts = {
  readonly environment: Pick<Environment, 'role' | 'host' | 'baseUrl' | 'allowPasswordless' | 'readSecret'>
  readonly server: Pick<ServerConfig, 'auth' | 'http'>
}

const describeReach = ({ host, baseUrl }: StartupFacts['environment'], { http }: StartupFacts['server']): string => {
  if (!isLoopback(host)) return `HOST is ${host}, so others can reach the server`
  return http.trustedProxies > 0
    ? `http.trustedProxies in server.yaml is ${http.trustedProxies}, so others can reach the server through a proxy`
    : `BASE_URL is ${baseUrl}, so others can reach the server through a proxy`
}

/** Every unsafe combination of environment and `server.yaml`, each with its fix. A server does not start with one, and a reload does not apply it. */
export const findUnsafeSettings = ({ environment, server }: StartupFacts): readonly string[] => {
  const { role, host, baseUrl, allowPasswordless } = environment
  const isOpen = server.auth.provider === 'local' && !server.auth.local.requirePassword
  // Behind a proxy on this machine others can reach it although it listens only here.
  const isReachable = role !== 'task' && (!isWithinMachine({ host, baseUrl }) || server.http.trustedProxies > 0)
  return [
    ...(isOpen && isReachable && !allowPasswordless
      ? [
          `${describeReach(environment, server)}, and anyone can sign in as any user: set auth.local.requirePassword to true in server.yaml, or ${isLoopback(host) ? 'remove that setting' : 'HOST to 127.0.0.1'}. To start anyway, set ALLOW_PASSWORDLESS=true.`,
        ]
      : []),
    ...(server.http.allowedOrigins.some((origin) => origin.includes('*'))
      ? [
          'http.allowedOrigins in server.yaml contains a wildcard, so any page may call: list each origin exactly, such as https://admin.example.org.',
        ]
      : []),
    ...findMissingOauthSecret(environment, server),
  ]
}
