import type { TSchema } from '@sinclair/typebox'
import type { Request, Response } from 'express'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createStrictParser } from '../../../shared/kernel/schema.ts'
import { bodyBytesDefault } from '../body-sizes.ts'
import type { Route } from '../route.ts'
import { parseJson } from './parse-json.ts'
import { parseQuery } from './parse-query.ts'
import { createTextBodyReader } from './read-body.ts'

/** A request's input, as its route declared it. */
export type ParsedInput = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

type Parse = (input: unknown) => unknown

const refuseKeys: Parse = (input) => {
  const keys = Object.keys(input ?? {})
  if (keys.length === 0) return undefined
  const errors = keys.map((key) => ({
    pointer: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: 'is not a known key',
  }))
  throw new AppError('invalid', 'bad-request', 'The query is not valid.', { errors })
}

const optionalParser = (schema: TSchema | undefined, what: string): Parse =>
  schema === undefined ? () => undefined : createStrictParser(schema, what, 'coerce')

/** express hands over the segments of a parameter that takes slashes (`*name`), each decoded. */
const joinSegments = (params: Request['params']): unknown =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value] as const),
  )

const createBodyReader = (route: Route): ((req: Request, res: Response) => Promise<unknown>) => {
  const { body, bodyMediaTypes, bodyBytesMax = bodyBytesDefault } = route
  if (body === undefined) return async () => undefined
  const check = createStrictParser(body, 'body')
  const read = createTextBodyReader({ mediaTypes: bodyMediaTypes ?? ['application/json'], bytesMax: bodyBytesMax })
  return async (req, res) => check(bodyMediaTypes === undefined ? parseJson(await read(req, res)) : await read(req, res))
}

/** Reads path, query and then the body by the route's schemas; throws `invalid` with every fault of the first that is not valid. */
export const createInputParser = (route: Route) => {
  const parseParams = optionalParser(route.params, 'path')
  const checkQuery = route.query === undefined ? refuseKeys : createStrictParser(route.query, 'query', 'coerce')
  const readBody = createBodyReader(route)
  return async (req: Request, res: Response): Promise<ParsedInput> => ({
    params: parseParams(joinSegments(req.params)),
    query: checkQuery(parseQuery(req.url)),
    body: await readBody(req, res),
  })
}
