import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { createProblemReply } from '../../shared/kernel/problems/problem-reply.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { closeGraceMs } from './closing.ts'

/**
 * Gives the client two seconds to close a socket that the server has ended. Sockets of an HTTP server stay half open until then, or
 * forever if the client never closes. Data that still arrives is ignored.
 */
export const closeInTime = (socket: Duplex): void => {
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), closeGraceMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}

/** An HTTP answer instead of an upgrade. */
export type RefusalAnswer = { readonly status: number; readonly headers: readonly string[]; readonly body: string }

/** The answer for `error`, in the format of all other answers: see `createProblemReply`. */
export const createRefusalAnswer = (error: unknown, instance: string, requestId: string): RefusalAnswer => {
  const { problem, headers } = createProblemReply(error, instance)
  return {
    status: problem.status,
    headers: [
      'Content-Type: application/problem+json',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ],
    body: JSON.stringify(problem),
  }
}

/** The node stops or is full. */
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

/** `refuseUpgrade` that counts each refusal. */
export const countRefusals =
  (metrics: Pick<RealtimeMetrics, 'countRefusedUpgrade'>): typeof refuseUpgrade =>
  (socket, refusal) => {
    metrics.countRefusedUpgrade(refusal.status)
    refuseUpgrade(socket, refusal)
  }
