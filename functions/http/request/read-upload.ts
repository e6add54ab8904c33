import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/kernel/errors.ts'
import { tooLarge } from '../body-sizes.ts'

/** The sockets of uploads that are being read. */
const uploading = new WeakSet<Duplex>()

/** Whether a connection sends an upload. It may take longer than other requests, as long as it does not pause. */
export const isUploading = (socket: Duplex): boolean => uploading.has(socket)

const idleMsDefault = 30_000

const brokenOff = (cause: unknown): AppError =>
  new AppError('invalid', 'bad-request', 'The upload ended early. Nothing was stored. Send it again.', { cause })

const paused = (): AppError =>
  new AppError('invalid', 'request-timeout', 'The upload paused for too long. Nothing was stored. Send it again.')

/**
 * Reads a body piece by piece, no faster than its reader. Throws AppError `too-large`, and `invalid` for a body that breaks off
 * or pauses for longer than `idleMs`.
 */
export async function* readUpload(
  req: IncomingMessage,
  bytesMax: number,
  idleMs = idleMsDefault,
): AsyncGenerator<Uint8Array, void> {
  const { socket } = req
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    req.destroy()
  }, idleMs)
  let bytes = 0
  uploading.add(socket)
  try {
    // The connection stays open for a refusal.
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      timer.refresh()
      bytes += piece.length
      if (bytes > bytesMax) throw tooLarge(bytesMax)
      yield piece
      timer.refresh()
    }
    if (!req.complete) throw brokenOff(undefined)
  } catch (error) {
    if (isLate) throw paused()
    throw error instanceof AppError ? error : brokenOff(error)
  } finally {
    clearTimeout(timer)
    uploading.delete(socket)
  }
}
