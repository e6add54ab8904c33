import type { RequestListener } from 'node:http'
import type { Response } from 'express'
import { AppError } from '../../../shared/kernel/errors.ts'

/** `app` where nothing leaves before its end: what it would stream is collected, up to `bytesMax`. */
export const answerWhole =
  (app: RequestListener, bytesMax: number): RequestListener =>
  (req, res) => {
    // express keeps the locals that are there.
    app(req, Object.assign(res, { locals: { wholeAnswerBytesMax: bytesMax } }))
  }

/** How large an answer may be that is collected; undefined where it can be streamed. */
export const wholeAnswerBytesMax = (res: Response): number | undefined => res.locals.wholeAnswerBytesMax

/** All pieces as one; throws AppError `too-large`, slug `answer-too-large`, as soon as they are more than `bytesMax`. */
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
        `The answer is larger than the ${Math.floor(bytesMax / 1024 / 1024)} MiB that can be sent from here at once: ask for a part of it.`,
      )
    collected.push(bytes)
  }
  return Buffer.concat(collected)
}
