import { connect, type Socket } from 'node:net'

/** Requests an upgrade and never closes its own side; with `reads: false` it does not even read. */
export const openHalfOpenClient = (url: string, path: string, { reads = true }: { readonly reads?: boolean } = {}): Socket => {
  const { hostname, port } = new URL(url)
  const client = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  client.on('error', () => client.destroy())
  if (reads) client.resume()
  const lines = ['Host: localhost', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
  client.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
  return client
}
