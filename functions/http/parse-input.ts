import type { TSchema } from '@sinclair/typebox'
import type { Request, Response } from 'express'
import { AppError } from '../../shared/kernel/errors.ts'
import { createStrictParser } from '../../shared/kernel/schema.ts'
import { parseJson } from './parse-json.ts'
import { parseQuery } from './parse-query.ts'
import { readTextBody } from './read-body.ts'
import type { Route } from './route.ts'

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

/** Reads path, query and then the body by the route's schemas; throws `invalid` with every fault of the first that is not valid. */
export const createInputParser = ({ params, query, body }: Route) => {
  const parseParams = optionalParser(params, 'path')
  const checkQuery = query === undefined ? refuseKeys : createStrictParser(query, 'query', 'coerce')
  const checkBody = body === undefined ? undefined : createStrictParser(body, 'body')
  return async (req: Request, res: Response): Promise<ParsedInput> => ({
    params: parseParams(req.params),
    query: checkQuery(parseQuery(req.url)),
    body: checkBody === undefined ? undefined : checkBody(parseJson(await readTextBody(req, res, ['application/json']))),
  })
}
