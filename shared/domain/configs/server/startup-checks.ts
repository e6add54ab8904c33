import { AppError } from '../../../kernel/errors.ts'
import { isLoopback, isWithinMachine } from '../../../kernel/loopback.ts'
import type { Environment } from '../../../platform/process/environment.ts'
import type { OtherConfigs } from '../declare/config-values.ts'
import type { ServerConfig } from './server-config.ts'

/** What the environment lacks for the provider `oauth`, in a process that signs people in: the client secret, if it is not there. */
const findMissingOauthSecret = (
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

type StartupFacts = {
  readonly environment: Pick<Environment, 'role' | 'host' | 'baseUrl' | 'allowPasswordless' | 'readSecret'>
  readonly server: Pick<ServerConfig, 'auth' | 'http'>
}

const describeReach = ({ host, baseUrl }: StartupFacts['environment'], { http }: StartupFacts['server']): string => {
  if (!isLoopback(host)) return `HOST is ${host}, which others can reach`
  return http.trustedProxies > 0
    ? `http.trustedProxies in server.yaml is ${http.trustedProxies}, so that others come through a proxy`
    : `BASE_URL is ${baseUrl}, so that others come through a proxy`
}

/** Every unsafe combination of environment and `server.yaml`, each with its fix; a server does not start until there is none, and a reload takes none in. */
export const findUnsafeSettings = ({ environment, server }: StartupFacts): readonly string[] => {
  const { role, host, baseUrl, allowPasswordless } = environment
  const isOpen = server.auth.provider === 'local' && !server.auth.local.requirePassword
  // Behind a proxy of this machine it is for others though it listens here alone.
  const isReachable = role !== 'task' && (!isWithinMachine({ host, baseUrl }) || server.http.trustedProxies > 0)
  return [
    ...(isOpen && isReachable && !allowPasswordless
      ? [
          `${describeReach(environment, server)}, and anyone may sign in as anybody: set auth.local.requirePassword to true in server.yaml, or ${isLoopback(host) ? 'take that away' : 'HOST to 127.0.0.1'}; ALLOW_PASSWORDLESS=true starts it all the same.`,
        ]
      : []),
    ...(server.http.allowedOrigins.some((origin) => origin.includes('*'))
      ? [
          'http.allowedOrigins in server.yaml holds a wildcard, so that any page may call: list each origin exactly, such as https://admin.example.org.',
        ]
      : []),
    ...findMissingOauthSecret(environment, server),
  ]
}

/** Throws AppError `invalid` that names every unsafe setting and its fix. */
export const refuseUnsafeSettings = (facts: StartupFacts): void => {
  const unsafe = findUnsafeSettings(facts)
  if (unsafe.length > 0) throw new AppError('invalid', 'invalid-config', ['The settings are not safe.', ...unsafe].join('\n  '))
}

/** Finds the same in configs that are about to come into force, so that a reload lets nothing in that a start refuses. */
export const createFindUnsafe =
  (environment: StartupFacts['environment']) =>
  (configs: OtherConfigs): readonly string[] => {
    const server = configs.find('server.yaml')
    return server === undefined ? [] : findUnsafeSettings({ environment, server })
  }
