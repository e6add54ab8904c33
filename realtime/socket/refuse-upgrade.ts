import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { closeInTime } from './close-in-time.ts'
import type { RefusalAnswer } from './refusal-answer.ts'

/** The node stops, or is full. */
export const goAway = { status: 503, headers: ['Retry-After: 5'], body: '' } as const

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
  closeInTime(socket)
}

/** `refuseUpgrade`, each of which is counted. */
export const countRefusals =
  (metrics: Pick<RealtimeMetrics, 'countRefusedUpgrade'>): typeof refuseUpgrade =>
  (socket, refusal) => {
    metrics.countRefusedUpgrade(refusal.status)
    refuseUpgrade(socket, refusal)
  }
