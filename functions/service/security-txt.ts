import { hostOf, isLoopback } from '../../shared/kernel/loopback.ts'
import { route } from '../http/route.ts'

const path = '/.well-known/security.txt'

/** RFC 9116 recommends less than a year. A server that runs moves it on. */
const expiresAfterMs = 180 * 24 * 60 * 60 * 1000

/** The mailbox for security of a domain (RFC 2142, section 4). */
const roleMailbox = (baseUrl: URL): string => `mailto:security@${hostOf(baseUrl)}`

/** Where to report a vulnerability of this server, by RFC 9116. */
export const securityTxt = route({
  method: 'get',
  path,
  permission: 'none',
  summary: 'Where to report a vulnerability (RFC 9116).',
  responses: { 200: 'The file.' },
  handle: ({ baseUrl, configs, clock }) => {
    const url = new URL(baseUrl)
    const { securityContact } = configs.get('server.yaml').http
    const lines = [
      `Contact: ${securityContact ?? roleMailbox(url)}`,
      `Expires: ${new Date(clock.now() + expiresAfterMs).toISOString()}`,
      'Preferred-Languages: en',
      ...(isLoopback(hostOf(url)) ? [] : [`Canonical: ${baseUrl}${path}`]),
    ]
    return { status: 200, body: `${lines.join('\n')}\n`, contentType: 'text/plain; charset=utf-8' }
  },
})
