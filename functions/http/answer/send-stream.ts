import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

const goneCode = 'CLIENT_GONE'

/** A signal that aborts when the client disconnects before its answer is sent. */
export const clientGoneSignal = (res: Response): AbortSignal => {
  const controller = new AbortController()
  const abort = () => controller.abort(Object.assign(new Error('the client went away'), { code: goneCode }))
  if (res.destroyed) abort()
  else
    res.once('close', () => {
      if (!res.writableFinished) abort()
    })
  return controller.signal
}

/** Whether an error is the reason of that signal, or a pipeline error with the same code. */
export const isClientGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === goneCode

type Piece = string | Uint8Array

type SendStreamOptions = {
  /** Sets status and headers. Called once, when the first piece is ready. */
  readonly begin: () => void
  /** How long a client may read nothing before it is disconnected; 30 s by default. */
  readonly idleMs?: number
}

/**
 * Sends pieces as they are made, no faster than the client reads. Resolves to whether all were sent. False means that the
 * client is gone; no piece is read after that. Rejects with errors of `pieces`; if the first piece fails, nothing was sent.
 */
export const sendStream = async (
  res: Response,
  pieces: AsyncIterable<Piece>,
  { begin, idleMs = 30_000 }: SendStreamOptions,
): Promise<boolean> => {
  const iterator = pieces[Symbol.asyncIterator]()
  let failed = true
  const remaining = async function* (first: IteratorResult<Piece>): AsyncGenerator<Piece> {
    for (let next = first; next.done !== true; next = await take()) yield next.value
  }
  /** Remembers whether a failure came from the source of the pieces. */
  const take = async (): Promise<IteratorResult<Piece>> => {
    failed = true
    const next = await iterator.next()
    failed = false
    return next
  }
  try {
    const first = await take()
    begin()
    res.setTimeout(idleMs, () => res.destroy())
    await pipeline(remaining(first), res)
    return true
  } catch (error) {
    if (failed) throw error
    return false
  } finally {
    await iterator.return?.()
  }
}
