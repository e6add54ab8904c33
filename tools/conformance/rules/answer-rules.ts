import { Type } from '@sinclair/typebox'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createParser } from '../../../shared/kernel/schema.ts'
import { type Answer, headerOf, jsonOf, mediaTypeOf } from '../client/http-client.ts'
import type { ApiDescription, JsonSchema, Operation } from './api-description.ts'

/** A rule for every answer. `findFault` explains how an answer breaks it. */
export type AnswerRule = {
  readonly name: string
  readonly findFault: (answer: Answer, api: ApiDescription) => string | undefined
}

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/

const securityHeaders: Readonly<Record<string, RegExp>> = {
  'Content-Security-Policy': /default-src/,
  'X-Content-Type-Options': /^nosniff$/,
  'X-Frame-Options': /^(SAMEORIGIN|DENY)$/i,
  'Referrer-Policy': /^no-referrer$/,
  'Strict-Transport-Security': /max-age=\d+/,
  'Cross-Origin-Opener-Policy': /^same-origin$/,
  'Cross-Origin-Resource-Policy': /^same-origin$/,
}

const parseProblem = createParser(
  Type.Object({
    type: Type.String(),
    title: Type.String({ minLength: 1 }),
    status: Type.Integer(),
    detail: Type.String({ minLength: 1 }),
    instance: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ message: Type.String({ minLength: 1 }) }))),
  }),
)

/** A HEAD has no body to check. */
const problemOf = (answer: Answer) =>
  answer.status < 400 || answer.sent.method === 'HEAD' ? undefined : parseProblem(jsonOf(answer))

/** A browser prefers HTML, and may get a page instead of a problem. */
const isPage = (answer: Answer): boolean => mediaTypeOf(answer) === 'text/html' && /^text\/html\b/.test(answer.sent.accept ?? '')

/** Gateways may decode paths or not. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const findProblemFault: AnswerRule['findFault'] = (answer, api) => {
  const problem = problemOf(answer)
  if (problem === undefined || isPage(answer)) return undefined
  if (mediaTypeOf(answer) !== 'application/problem+json') return `the media type ${mediaTypeOf(answer) ?? 'none'}`
  if (!problem.ok) return `a body with ${problem.faults[0]?.pointer ?? ''} ${problem.faults[0]?.message ?? 'is not valid'}`
  const { type, status, instance } = problem.value
  if (status !== answer.status) return `"status": ${status}`
  const listed = api.problems.get(type.replace(/^\/problems\//, ''))
  if (!type.startsWith('/problems/') || listed === undefined) return `the type ${type}, which /api/openapi.json does not list`
  if (listed !== status) return `the type ${type}, listed with status ${listed}`
  const path = answer.sent.target.split('?', 1)[0] ?? ''
  return decode(instance) === decode(path) ? undefined : `"instance": ${JSON.stringify(instance)}`
}

const leaks = /node_modules|\.(?:ts|js|mjs):\d+|\bat (?:async )?[\w.<>]+ \(|\/(?:home|var|usr|tmp|root|work)\/|ECONN|ENOENT/

const header =
  (name: string, applies: (answer: Answer) => boolean, form: RegExp): AnswerRule['findFault'] =>
  (answer) => {
    if (!applies(answer)) return undefined
    const value = headerOf(answer, name)
    return value !== undefined && form.test(value) ? undefined : `${name}: ${value ?? 'none'}`
  }

/** The rules, in the order of the report. */
export const answerRules: readonly AnswerRule[] = [
  {
    name: 'has the X-Request-Id of the request if that is valid',
    findFault: (answer) => {
      const got = headerOf(answer, 'X-Request-Id')
      const { requestId } = answer.sent
      if (got === undefined) return 'none'
      return saneRequestId.test(requestId) && got !== requestId ? got : undefined
    },
  },
  {
    name: 'has the security headers',
    findFault: (answer) => {
      const missing = Object.entries(securityHeaders).filter(([name, form]) => !form.test(headerOf(answer, name) ?? ''))
      return missing.length === 0 ? undefined : missing.map(([name]) => `${name}: ${headerOf(answer, name) ?? 'none'}`).join(', ')
    },
  },
  {
    name: 'does not name its software',
    findFault: (answer) =>
      headerOf(answer, 'X-Powered-By') === undefined ? undefined : `X-Powered-By: ${headerOf(answer, 'X-Powered-By')}`,
  },
  { name: 'has caching headers', findFault: header('Cache-Control', () => true, /no-store|no-cache|max-age/) },
  {
    name: 'is not a server error',
    findFault: ({ status }) => (status === 500 || status === 502 || status === 504 ? String(status) : undefined),
  },
  {
    name: 'with an error is a listed problem with its status and path, or a page for a browser',
    findFault: findProblemFault,
  },
  {
    name: 'with an error reveals no internals',
    findFault: (answer) => (problemOf(answer) === undefined ? undefined : leaks.exec(answer.text)?.[0]),
  },
  { name: 'with 401 says how to sign in', findFault: header('WWW-Authenticate', ({ status }) => status === 401, /^Bearer\b/i) },
  { name: 'with 405 lists the allowed methods', findFault: header('Allow', ({ status }) => status === 405, /./) },
  {
    name: 'with 429 or 503 says when to retry',
    findFault: header('Retry-After', ({ status }) => status === 429 || status === 503, /^[1-9]\d*$/),
  },
]

/** Returns how an answer differs from its description; undefined if it does not. */
type FindUndescribed = (operation: Operation, answer: Answer) => string | undefined

const faultOf = (validate: ValidateFunction): string => {
  const [error] = validate.errors ?? []
  const key = error?.keyword === 'additionalProperties' ? ` "${String(error.params.additionalProperty)}"` : ''
  return `${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}${key}`.trim()
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** The value to validate: lines of NDJSON as an array, JSON, or the text itself. */
const bodyOf = (answer: Answer, mediaType: string): unknown => {
  if (mediaType.endsWith('ndjson')) return linesOf(answer.text).map((text) => jsonOf({ text }))
  return mediaType.endsWith('json') ? jsonOf(answer) : answer.text
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of the value: for text with structure, that of its content. */
const contentSchemaOf = (schema: JsonSchema): JsonSchema => (isSchema(schema.contentSchema) ? schema.contentSchema : schema)

/** Answers without a description: those of conditional requests. */
const isConditional = ({ status }: Answer): boolean => status === 304

/** Compiles each schema once. */
export const createFindUndescribed = (): FindUndescribed => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }))
  const compiled = new Map<JsonSchema, ValidateFunction>()

  const findBodyFault = (schema: JsonSchema, value: unknown): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate(value) ? undefined : faultOf(validate)
  }

  const findHeaderFault = (operation: Operation, answer: Answer): string | undefined => {
    const { headers = {} } = operation.responses[String(answer.status)] ?? {}
    if (headerOf(answer, 'ETag') !== undefined && headers.ETag === undefined && answer.status < 300)
      return 'the header ETag, which is not described'
    const described = Object.entries(headers).filter(([, { required }]) => required !== false)
    const required = answer.status < 300 ? described.map(([name]) => name) : []
    const absent = required.find((name) => headerOf(answer, name) === undefined)
    return absent === undefined ? undefined : `no header ${absent}`
  }

  return (operation, answer) => {
    if (isConditional(answer)) return undefined
    const described = operation.responses[String(answer.status)]
    if (described === undefined) return `${answer.status}, which is not described`
    if (answer.sent.method === 'HEAD') return undefined
    const { content } = described
    if (content === undefined) return findHeaderFault(operation, answer)
    const mediaType = mediaTypeOf(answer) ?? 'none'
    const schema = content[mediaType]?.schema
    if (schema === undefined) return `the media type ${mediaType}`
    if (headerOf(answer, 'Content-Encoding') !== undefined) return findHeaderFault(operation, answer)
    return findBodyFault(contentSchemaOf(schema), bodyOf(answer, mediaType)) ?? findHeaderFault(operation, answer)
  }
}
