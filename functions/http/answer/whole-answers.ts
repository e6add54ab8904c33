import type { RequestListener } from 'node:http'
import type { Response } from 'express'
import { AppError } from '../../../shared/kernel/errors.ts'

/** `app`, with answers sent only when they are complete. Streamed answers are collected, up to `bytesMax`. */
export const answerWhole =
  (app: RequestListener, bytesMax: number): RequestListener =>
  (req, res) => {
    // express keeps existing locals.
    app(req, Object.assign(res, { locals: { wholeAnswerBytesMax: bytesMax } }))
  }

/** The limit of a collected answer; undefined if it can be streamed. */
export const wholeAnswerBytesMax = (res: Response): number | undefined => res.locals.wholeAnswerBytesMax

/** Joins all pieces. Throws AppError `too-large` (`answer-too-large`) as soon as they exceed `bytesMax`. */
export const collectPieces = async (pieces: AsyncIterable<string | Uint8Array>, bytesMax: number): Promise<Uint8Array> => {
  const collected: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece
    length += bytes.length
    if (length > bytesMax)
      throw new AppError(
        'too-large',
        'answer-too-large',
        `The answer is larger than ${Math.floor(bytesMax / 1024 / 1024)} MiB, the most that this address can send at once. Request a part of it.`,
      )
    collected.push(bytes)
  }
  return Buffer.concat(collected)
}
