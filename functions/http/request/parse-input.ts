import { parse } from 'node:querystring'
import type { TSchema } from '@sinclair/typebox'
import type { Request, Response } from 'express'
import { AppError, type Fault } from '../../../shared/kernel/errors.ts'
import { firstFaults } from '../../../shared/kernel/find-faults.ts'
import { createStrictParser } from '../../../shared/kernel/schema.ts'
import type { Turns } from '../../../shared/kernel/turns.ts'
import { bodyBytesDefault } from '../body-sizes.ts'
import type { Route } from '../route.ts'
import { parseJson } from './parse-json.ts'
import { createTextBodyReader, expectUpload, hasBody } from './read-body.ts'

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
  const errors = keys.map((key) => ({
    pointer: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: 'is not a known key',
  }))
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
