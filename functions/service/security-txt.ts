import { isIP } from 'node:net'
import { AppError } from '../../shared/kernel/errors.ts'
import { hostOf, isLoopback } from '../../shared/kernel/loopback.ts'
import { route } from '../http/route.ts'

const path = '/.well-known/security.txt'

/** RFC 9116 recommends less than a year. A running server moves it forward. */
const expiresAfterMs = 180 * 24 * 60 * 60 * 1000

/** The security mailbox of a domain (RFC 2142, section 4); undefined if the host is not a public name. */
const findRoleMailbox = (host: string): string | undefined =>
  isLoopback(host) || isIP(host) !== 0 || /^[^.]*$|\.localhost$/.test(host) ? undefined : `mailto:security@${host}`

/** The security contact of this server (RFC 9116). */
export const securityTxt = route({
  method: 'get',
  path,
  permission: 'none',
  operationId: 'getSecurityContact',
  summary: 'Where to report a vulnerability (RFC 9116).',
  responses: { 200: 'The file.' },
  problems: ['not-found'],
  handle: ({ baseUrl, configs, clock }) => {
    const host = hostOf(new URL(baseUrl))
    const { securityContact } = configs.get('server.yaml').http
    const contact = securityContact ?? findRoleMailbox(host)
    if (contact === undefined)
      throw new AppError(
        'not-found',
        'not-found',
        'This server names no contact for security. Its operator sets one in `http.securityContact` of server.yaml.',
      )
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(clock.now() + expiresAfterMs).toISOString()}`,
      'Preferred-Languages: en',
      ...(isLoopback(host) ? [] : [`Canonical: ${baseUrl}${path}`]),
    ]
    return { status: 200, body: `${lines.join('\n')}\n`, contentType: 'text/plain; charset=utf-8' }
  },
})
