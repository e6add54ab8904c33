import type { IncomingHttpHeaders } from 'node:http'
import type { Ids } from '../../shared/kernel/ids.ts'

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/

/** The id of an upgrade: the client's own where it is sane. */
export const requestIdOf = (headers: IncomingHttpHeaders, ids: Pick<Ids, 'uuid'>): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && saneRequestId.test(sent) ? sent : ids.uuid()
}
