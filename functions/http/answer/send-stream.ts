import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

const goneCode = 'CLIENT_GONE'

/** A signal that is aborted when the client goes away before its answer is out. */
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

/** Whether an error is that signal's reason, or what a pipeline made of it, which keeps the code. */
export const isClientGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === goneCode

type Piece = string | Uint8Array

type SendStreamOptions = {
  /** Sets status and headers; called once, when the first piece is there. */
  readonly begin: () => void
  /** How long a client may take nothing before it is cut off; 30 s when absent. */
  readonly idleMs?: number
}

/**
 * Sends pieces as they come and no faster than the client takes them; whether all went out. False: the client has gone, and no piece
 * was asked for after that. Rejects with what making a piece threw, with nothing sent when that was the first.
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
  /** Notes whose fault it is when the sending fails. */
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
