import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorKind } from '../../shared/kernel/errors.ts'
import { problems } from '../../shared/kernel/problems.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'

const graceMs = 2000

/**
 * Gives the other side two seconds to close a socket that this side has ended: one of an HTTP server stays half open until then, for
 * ever with a client that never does. What still arrives is passed over.
 */
export const closeInTime = (socket: Duplex): void => {
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), graceMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}

/** An HTTP answer in the place of an upgrade. */
export type RefusalAnswer = { readonly status: number; readonly headers: readonly string[]; readonly body: string }

const statuses: Readonly<Partial<Record<ErrorKind, number>>> = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  limited: 429,
  unavailable: 503,
}

const headersFor = (status: number, retryAfterSeconds: number | undefined): readonly string[] => {
  if (status === 401) return ['WWW-Authenticate: Bearer']
  return status === 503 || status === 429 ? [`Retry-After: ${Math.max(1, Math.ceil(retryAfterSeconds ?? 2))}`] : []
}

/** What the client is told of `error`, as RFC 9457 wants it: all of an AppError's public part, nothing of anything else. */
export const createRefusalAnswer = (error: unknown, instance: string, requestId: string): RefusalAnswer => {
  const known = error instanceof AppError ? error : undefined
  const slug = known?.slug ?? 'internal-error'
  const status = known === undefined ? 500 : (statuses[known.kind] ?? 400)
  const detail = known?.publicDetail ?? problems[slug].help
  return {
    status,
    headers: [
      'Content-Type: application/problem+json',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      ...headersFor(status, known?.retryAfterSeconds),
    ],
    body: JSON.stringify({ type: `/problems/${slug}`, title: problems[slug].title, status, detail, instance }),
  }
}

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
