import type { Fault } from '../../../kernel/errors.ts'
import { isPlainLoopback } from '../../../kernel/loopback.ts'
import { findDurationMs, isTooLong } from '../../sanctions/duration.ts'
import { defineConfigFile } from '../declare/config-file.ts'
import { findOauthFaults } from './oauth-config-faults.ts'
import { findChangePermission, ServerConfig } from './server-config.ts'

const describeOriginProblem = (text: string): string | undefined => {
  if (text.includes('*'))
    return 'a wildcard would let any page act as the signed-in user: list each origin exactly, such as https://admin.example.org'
  if (!URL.canParse(text))
    return `"${text}" is not an origin: write it as https://admin.example.org, with the port if it is not 443`
  const { origin, protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return `contains a user name or a password: write it as ${origin}`
  if (protocol !== 'https:' && !isPlainLoopback({ protocol, hostname }))
    return `"${text}" must begin with https:// (http:// is for this machine only)`
  return origin === text ? undefined : `"${text}" is not an exact origin: write it as ${origin}`
}

const findOriginFaults = ({ http }: ServerConfig): Fault[] =>
  http.allowedOrigins.flatMap((text, index) => {
    const message = describeOriginProblem(text)
    return message === undefined ? [] : [{ pointer: `/http/allowedOrigins/${index}`, message }]
  })

const findBurstFaults = ({ realtime: { messageBurst, messagesPerSecond } }: ServerConfig): Fault[] => {
  if (messageBurst >= messagesPerSecond) return []
  const message = `is ${messageBurst}, less than messagesPerSecond (${messagesPerSecond}): raise it to at least that`
  return [{ pointer: '/realtime/messageBurst', message }]
}

const everyMinMs = 600_000

const findBackupFaults = ({ backups: { every } }: ServerConfig): Fault[] => {
  if (every === undefined || (findDurationMs(every) ?? 0) >= everyMinMs) return []
  const message = isTooLong(every) ? 'is too long: at most 100 years' : 'is too short: at least 10m'
  return [{ pointer: '/backups/every', message }]
}

/** `server.yaml`: applies on reload, except for the tick rate, because the game loop keeps its step length while it runs. */
export const serverConfigFile = defineConfigFile({
  schema: ServerConfig,
  summary: 'Sign-in, and the limits of HTTP and of the real-time node.',
  effect: 'restart',
  refersTo: ['groups.yaml'],
  changePermission: findChangePermission,
  crossCheck: (config, others) => [
    ...findOriginFaults(config),
    ...findBurstFaults(config),
    ...findBackupFaults(config),
    ...findOauthFaults(config, others),
  ],
  afterReload: ({ realtime: { tickRate } }, next) => ({ ...next, realtime: { ...next.realtime, tickRate } }),
})
