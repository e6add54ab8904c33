import type { Duplex } from 'node:stream'

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
