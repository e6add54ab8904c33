import type { Environment } from '../services/environment.ts'

/** What a person needs to go on once the server is ready. */
export const describeAddresses = (environment: Environment, requirePassword: boolean): string => {
  const { baseUrl, metricsHost, metricsPort } = environment
  const lines = [
    `Gatehouse is ready at ${baseUrl}`,
    `  API      ${baseUrl}/api/docs`,
    `  players  ${baseUrl.replace(/^http/, 'ws')}/realtime`,
    `  play     npm run play -- --email you@example.com --url ${baseUrl}`,
    ...(metricsPort === undefined ? [] : [`  metrics  http://${metricsHost}:${metricsPort}/metrics`]),
  ]
  if (!requirePassword)
    lines.push(
      'Whoever reaches this address signs in without a password. Before going public: auth.local.requirePassword: true in data/config/server.yaml, TLS in front, BASE_URL.',
    )
  return `${lines.join('\n')}\n`
}

/** How to become the first administrator with the one-time secret `claim`. */
export const describeClaim = (baseUrl: string, claim: string): string => {
  const body = JSON.stringify({ claim, email: 'you@example.com', password: 'at least 8 bytes' })
  return `Nobody can administer this server yet. Claim it, once, within 24 hours:
  open  ${baseUrl}/claim#${claim}
  or    curl -X POST ${baseUrl}/auth/claim -H 'Content-Type: application/json' -d '${body}'
`
}
