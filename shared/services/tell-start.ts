import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerConfig } from '../domain/configs/server/server-config.ts'
import type { Environment } from '../platform/process/environment.ts'
import { describeRedisPlace, parseRedisUrl } from '../platform/storage/redis/redis-url.ts'
import type { Services } from './wire-services.ts'

const retryMs = 250

type StartTelling = Pick<Services, 'tokens'> & {
  readonly redisUrl: string | undefined
  /** The address of this process. */
  readonly baseUrl: string
  /** The real-time node, if there is one. It reports the holders of the worlds that it waits for. */
  readonly node?: { whenRunning(standsBy: (holders: Readonly<Record<string, string>>) => void): Promise<void> }
  readonly write: (text: string) => void
}

const awaitRedis = async ({ redisUrl, tokens, baseUrl, write }: StartTelling): Promise<void> => {
  if (redisUrl === undefined) return
  for (let isTold = false; ; isTold = true) {
    const answers = await tokens.ping().then(
      () => true,
      () => false,
    )
    if (answers) return
    if (!isTold)
      write(
        `Gatehouse is up at ${baseUrl} and waiting for Redis at ${describeRedisPlace(parseRedisUrl(redisUrl))} (REDIS_URL).\n`,
      )
    await pause(retryMs)
  }
}

/** Prints what a started process still waits for: Redis, or a world of another node. Resolves when it waits for nothing. */
export const tellStart = async (telling: StartTelling): Promise<void> => {
  await awaitRedis(telling)
  const { node, baseUrl, write } = telling
  await node?.whenRunning((holders) => {
    const worlds = Object.entries(holders).map(([world, holder]) => `world "${world}", which ${holder} runs`)
    write(`Gatehouse stands by at ${baseUrl} for ${worlds.join(', and ')}.\n`)
  })
}

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
