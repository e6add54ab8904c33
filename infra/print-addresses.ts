import type { Environment } from '../shared/kernel/env.ts'

/** What a person needs to go on once the server is ready; `claim` is the one-time secret, absent while there is an administrator. */
export const describeAddresses = (environment: Environment, requirePassword: boolean, claim: string | undefined): string => {
  const { baseUrl } = environment
  const lines = [
    `Gatehouse is ready at ${baseUrl}`,
    `  API      ${baseUrl}/api/docs`,
    `  players  ${baseUrl.replace(/^http/, 'ws')}/realtime`,
    `  play     npm run play -- --email you@example.com --url ${baseUrl}`,
    ...(environment.metricsPort === undefined
      ? []
      : [`  metrics  http://${environment.metricsHost}:${environment.metricsPort}/metrics`]),
  ]
  if (!requirePassword)
    lines.push(
      'Anybody who reaches this address signs in without a password: set auth.local.requirePassword: true in server.yaml before going public.',
    )
  if (claim !== undefined)
    lines.push(
      'Nobody can administer this server yet. Claim it, once, within 24 hours:',
      `  open  ${baseUrl}/claim#${claim}`,
      `  or    curl -X POST ${baseUrl}/auth/claim -H 'Content-Type: application/json' -d '{"claim":"${claim}","email":"you@example.com","password":"at least 8 bytes"}'`,
    )
  return `${lines.join('\n')}\n`
}
