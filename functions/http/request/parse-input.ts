import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { TSchema } from '@sinclair/typebox'
import express, { type Request, type Response } from 'express'
import { AppError, type Fault } from '../../../shared/kernel/errors.ts'
import { firstFaults } from '../../../shared/kernel/find-faults.ts'
import { createStrictParser } from '../../../shared/kernel/schema.ts'
import type { Turns } from '../../../shared/kernel/turns.ts'
import { bodyBytesDefault, tooLarge } from '../body-sizes.ts'
import type { Route } from '../route.ts'
import { parseJson } from './parse-json.ts'

const refuseMalformed = (query: string): void => {
  try {
    decodeURIComponent(query)
  } catch (cause) {
    throw new AppError('invalid', 'bad-request', 'The query contains malformed percent-encoding.', { cause })
  }
}

const toPointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Several times as many as any route has. */
const keysMax = 50

const refuseMany = (query: string): void => {
  let keys = 1
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) keys += 1
  if (keys > keysMax) throw new AppError('invalid', 'bad-request', `The query has more than ${keysMax} keys. Send fewer.`)
}

/** The query of a URL by key. Throws `invalid` for malformed percent-encoding, more than 50 keys or a repeated key. */
const parseQuery = (url: string): Readonly<Record<string, string>> => {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const query = url.slice(start + 1)
  refuseMany(query)
  refuseMalformed(query)
  const values = new Map<string, string>()
  const errors: Fault[] = []
  for (const [key, value] of Object.entries(parse(query, '&', '=', { maxKeys: 0 }))) {
    if (typeof value === 'string') values.set(key, value)
    else errors.push({ pointer: toPointer(key), message: 'is in the query more than once' })
  }
  if (errors.length > 0) throw new AppError('invalid', 'bad-request', 'The query is not valid.', { errors: firstFaults(errors) })
  return Object.fromEntries(values)
}

/** The input of a request, as its route declares it. */
export type ParsedInput = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

type Parse = (input: unknown) => unknown

const refuseKeys: Parse = (input) => {
  const keys = Object.keys(input ?? {})
  if (keys.length === 0) return undefined
  const errors = keys.map((key) => ({ pointer: toPointer(key), message: 'is not a known key' }))
  throw new AppError('invalid', 'bad-request', 'The query is not valid.', { errors: firstFaults(errors) })
}

const optionalParser = (schema: TSchema | undefined, what: string): Parse =>
  schema === undefined ? () => undefined : createStrictParser(schema, what, 'coerce')

/** express splits a parameter with slashes (`*name`) into segments and decodes each. */
const joinSegments = (params: Request['params']): unknown =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value] as const),
  )

/** Longer bodies are parsed and checked one per iteration of the event loop: each may take twenty milliseconds. */
const inOneTurnChars = 2048

/** The accepted media types of a body, and its limit in bytes. */
type BodyRules = { readonly mediaTypes: readonly string[]; readonly bytesMax: number }

const unsupported = (detail: string) => new AppError('invalid', 'unsupported-media-type', detail)
const malformed = (detail: string, cause?: unknown) => new AppError('invalid', 'bad-request', detail, { cause })

/** Whether a request has a body, by its headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
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
const expectUpload = (req: Request, { mediaTypes, bytesMax }: BodyRules): void => {
  const { headers } = req
  if (!hasBody(req)) throw malformed('The request needs a body.')
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';')
  if (!mediaTypes.includes(mediaType.trim().toLowerCase())) throw unsupported(`Send the body as ${mediaTypes.join(' or ')}.`)
  if (headers['content-encoding'] !== undefined) throw unsupported('Send the body without a content encoding.')
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads bodies by `rules`, as UTF-8 text. Throws for an invalid body, and stops reading one that is too large. */
const createTextBodyReader = ({ mediaTypes, bytesMax }: BodyRules) => {
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

const createBodyReader = (route: Route, turns: Turns): ((req: Request, res: Response) => Promise<unknown>) => {
  const { body, bodyMediaTypes, bodyBytesMax = bodyBytesDefault } = route
  if (body === undefined) return async () => undefined
  if (route.streamsBody === true)
    return async (req) => expectUpload(req, { mediaTypes: bodyMediaTypes ?? [], bytesMax: bodyBytesMax })
  const check = createStrictParser(body, 'body')
  const read = createTextBodyReader({ mediaTypes: bodyMediaTypes ?? ['application/json'], bytesMax: bodyBytesMax })
  return async (req, res) => {
    if (route.isBodyOptional === true && !hasBody(req)) return check({})
    const text = await read(req, res)
    if (text.length > inOneTurnChars) await turns.next()
    return check(bodyMediaTypes === undefined ? parseJson(text) : text)
  }
}

/** Reads path, query and then the body by the route's schemas. Throws `invalid` for the first invalid one. */
export const createInputParser = (route: Route, turns: Turns) => {
  const parseParams = optionalParser(route.params, 'path')
  const checkQuery = route.query === undefined ? refuseKeys : createStrictParser(route.query, 'query', 'coerce')
  const readBody = createBodyReader(route, turns)
  return async (req: Request, res: Response): Promise<ParsedInput> => ({
    params: parseParams(joinSegments(req.params)),
    query: route.ignoresQuery === true ? undefined : checkQuery(parseQuery(req.url)),
    body: await readBody(req, res),
  })
}
