import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void | Promise<void>

const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket')

const dropped: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings'])

/** The request as it was sent, but for its wish to change the protocol. */
const withoutUpgrade = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!dropped.has(rawHeaders[at]?.toLowerCase() ?? '')) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Hands upgrades to WebSocket to `upgrade`. A request for any other protocol is answered as if it had not asked (RFC 9110,
 * section 7.8): Java's client and `curl --http2` offer h2c with their first request. Node 20 has no option for it.
 */
export const routeUpgrades = (server: Server, upgrade: UpgradeHandler): void => {
  server.on('upgrade', (request, socket, head) => {
    if (asksForWebSocket(request)) {
      void upgrade(request, socket, head)
      return
    }
    socket.unshift(Buffer.concat([withoutUpgrade(request), head]))
    server.emit('connection', socket)
  })
}
