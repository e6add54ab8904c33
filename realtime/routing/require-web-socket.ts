import type { IncomingMessage } from 'node:http'
import { AppError } from '../../shared/kernel/errors.ts'

/** Throws AppError `invalid` unless the upgrade is a WebSocket handshake. httpxy would close other upgrades without an answer. */
export const requireWebSocket = ({ method, headers }: IncomingMessage): void => {
  if (method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket') return
  throw new AppError('invalid', 'bad-request', 'Send a GET with "Upgrade: websocket" and no other protocol.')
}
