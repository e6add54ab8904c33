import { join } from 'node:path'
import type { ServerConfig } from '../domain/configs/server/server-config.ts'
import type { Environment } from '../platform/process/environment.ts'

type SignInConfig = Pick<ServerConfig['auth'], 'provider'> & { readonly local: { readonly requirePassword: boolean } }

/** The addresses and advice for people when the server is ready. */
export const describeAddresses = (environment: Environment, { provider, local }: SignInConfig): string => {
  const { baseUrl, metricsHost, metricsPort, dataDir, dynamodb } = environment
  const config = dynamodb === undefined ? join(dataDir, 'config', 'server.yaml') : 'server.yaml'
  const lines = [
    `Gatehouse is ready at ${baseUrl}`,
    `  play     ${baseUrl}/play`,
    `  console  ${baseUrl}/console`,
    `  API      ${baseUrl}/api/docs`,
    `  players  ${baseUrl.replace(/^http/, 'ws')}/realtime`,
    `  terminal npm run play -- ${provider === 'oauth' ? '' : '--email you@example.com '}--url ${baseUrl}`,
    ...(dynamodb === undefined ? [`  config   ${config}`] : []),
    ...(metricsPort === undefined ? [] : [`  metrics  http://${metricsHost}:${metricsPort}/metrics`]),
  ]
  if (provider === 'local' && !local.requirePassword)
    lines.push(
      `Anyone who reaches this address can sign in without a password. Before you open it to others, set auth.local.requirePassword: true in ${config}, put TLS in front and set BASE_URL.`,
    )
  return `${lines.join('\n')}\n`
}
