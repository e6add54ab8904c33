import type { IncomingHttpHeaders } from 'node:http'

/** The subprotocol of a feed. Answers never select another one. */
export const feedProtocol = 'gatehouse.feed.v1'

const bearerHeader = /^Bearer +([A-Za-z0-9._~+/-]{1,256}=*) *$/i
const bearerProtocol = /^bearer\.([A-Za-z0-9._~-]{1,256})$/

/** The token of an upgrade: `none` if absent, `malformed` if it cannot be read. */
export type FeedCredential = { readonly token: string } | 'none' | 'malformed'

/** Reads `Authorization: Bearer`, otherwise the subprotocol pair that browsers can send. Tokens in the URL are ignored. */
export const readFeedCredential = (headers: IncomingHttpHeaders): FeedCredential => {
  if (headers.authorization !== undefined) {
    const token = bearerHeader.exec(headers.authorization)?.[1]
    return token === undefined ? 'malformed' : { token }
  }
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  const bearers = offered.filter((protocol) => protocol.startsWith('bearer.'))
  const [bearer] = bearers
  if (bearer === undefined) return 'none'
  const token = bearerProtocol.exec(bearer)?.[1]
  return bearers.length > 1 || token === undefined || !offered.includes(feedProtocol) ? 'malformed' : { token }
}
