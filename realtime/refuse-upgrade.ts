import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RefusalAnswer } from './refusal-answer.ts'

/** Answers an upgrade as plain HTTP and closes the connection. */
export const refuseUpgrade = (socket: Duplex, { status, headers, body }: RefusalAnswer): void => {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  socket.on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
