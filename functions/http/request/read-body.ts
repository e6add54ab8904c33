import express, { type Request, type Response } from 'express'
import { AppError } from '../../../shared/kernel/errors.ts'
import { formatBytes } from '../body-sizes.ts'

/** The accepted media types of a body, and its limit in bytes. */
export type BodyRules = { readonly mediaTypes: readonly string[]; readonly bytesMax: number }

const unsupported = (detail: string) => new AppError('invalid', 'unsupported-media-type', detail)
const malformed = (detail: string, cause?: unknown) => new AppError('invalid', 'bad-request', detail, { cause })

export const tooLarge = (bytesMax: number) =>
  new AppError('too-large', 'body-too-large', `The body is too large. The limit here is ${formatBytes(bytesMax)}.`)

/** Whether a request has a body, by its headers. */
export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Faults of body-parser by their stable `type`. */
const describeFault = (error: unknown, bytesMax: number): unknown => {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return tooLarge(bytesMax)
  if (type === 'encoding.unsupported') return unsupported('Send the body without a content encoding.')
  if (type === 'request.size.invalid') return malformed('The length of the body differs from its Content-Length.')
  if (type === 'request.aborted') return malformed('The body ended early. Send the request again.')
  return error
}

const checkMediaType = (header: string | undefined, mediaTypes: readonly string[]): void => {
  const [mediaType = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (!mediaTypes.includes(mediaType)) throw unsupported(`Send the body as ${mediaTypes.join(' or ')}.`)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupported('Send the body in UTF-8.')
}

/** Throws if the head of a request announces a body that its route would refuse. */
export const expectUpload = (req: Request, { mediaTypes, bytesMax }: BodyRules): void => {
  const { headers } = req
  if (!hasBody(req)) throw malformed('The request needs a body.')
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';')
  if (!mediaTypes.includes(mediaType.trim().toLowerCase())) throw unsupported(`Send the body as ${mediaTypes.join(' or ')}.`)
  if (headers['content-encoding'] !== undefined) throw unsupported('Send the body without a content encoding.')
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads bodies by `rules`, as UTF-8 text. Throws for an invalid body, and stops reading one that is too large. */
export const createTextBodyReader = ({ mediaTypes, bytesMax }: BodyRules) => {
  const receive = express.raw({ limit: bytesMax, inflate: false, type: () => true })
  return async (req: Request, res: Response): Promise<string> => {
    if (!hasBody(req)) throw malformed('The request needs a body.')
    checkMediaType(req.headers['content-type'], mediaTypes)
    // body-parser would only refuse it at its end.
    if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
    await new Promise<void>((resolve, reject) => {
      receive(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(describeFault(error, bytesMax))))
    })
    const bytes: unknown = req.body
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) throw malformed('The request needs a body.')
    try {
      return decoder.decode(bytes)
    } catch (cause) {
      throw malformed('The body is not UTF-8.', cause)
    }
  }
}
