import type { TSchema } from '@sinclair/typebox'
import { problems } from '../../../shared/kernel/problems/problems.ts'
import { bodyBytesDefault, formatBytes } from '../body-sizes.ts'
import type { Method, Route, RoutePermission } from '../route.ts'
import { commonFields } from './common-fields.ts'
import { exampleOf } from './examples.ts'
import { describeProblems, problemSchema, problemSlugs, problemsOf } from './openapi-problems.ts'
import { listTags, tagOf } from './openapi-tags.ts'
import { problemStatuses } from './problem-statuses.ts'
import { createReferences, type SchemaNames } from './schema-references.ts'

type Schema = Readonly<Record<string, unknown>>

/** Replaces named schemas by references. */
type Refer = (schema: TSchema) => Schema

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly description?: string
}

type Media = { readonly schema: Schema; readonly example?: unknown }
type Content = Readonly<Record<string, Media>>

type Described = {
  readonly description: string
  readonly content?: Content
  readonly headers?: Readonly<
    Record<string, { readonly schema: object; readonly description?: string; readonly required?: boolean }>
  >
}

type RequestBody = {
  readonly required: boolean
  readonly description: string
  /** The limit of the body, in bytes. */
  readonly 'x-bytes-max': number
  readonly content: Content
}

export type Operation = {
  readonly operationId: string
  /** Allowed callers: anyone, anyone with a live token, or callers with the permission. */
  readonly 'x-permission': RoutePermission
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Described>>
}

/** The parts of an OpenAPI 3.1 document that Gatehouse writes. */
export type Openapi = {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string; readonly url: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  /** In reading order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: object }
  readonly 'x-problems': readonly {
    readonly slug: string
    readonly status: number
    readonly title: string
    readonly help: string
  }[]
}

/** `/users/:email` and `/configs/*name` with their parameters in braces. */
const templatePath = (path: string): string => path.replaceAll(/[:*](\w+)/g, '{$1}')

const parametersOf = (place: Parameter['in'], schema: TSchema | undefined, refer: Refer): readonly Parameter[] => {
  const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {}
  const required: readonly string[] = schema?.required ?? []
  return Object.entries(properties).map(([name, { description = commonFields[name], ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: refer(property),
  }))
}

/** Writes that a stale entity tag refuses take `If-Match`; reads with an entity tag take `If-None-Match`. */
const tagParametersOf = ({ method, hasEtag, problems: own = [] }: Route): readonly Parameter[] => [
  ...(own.includes('stale')
    ? [
        {
          name: 'If-Match',
          in: 'header',
          required: false,
          description: 'The ETag of the version to change. Another version is answered with 412 `stale`.',
          schema: { type: 'string' },
        } as const,
      ]
    : []),
  ...(method === 'get' && hasEtag === true
    ? [
        {
          name: 'If-None-Match',
          in: 'header',
          required: false,
          description: 'The ETag of a version that you have. If it is the newest, the answer is 304 without a body.',
          schema: { type: 'string' },
        } as const,
      ]
    : []),
]

const etagHeader = {
  ETag: {
    description: 'The version of the answer, for `If-Match` and `If-None-Match`.',
    required: false,
    schema: { type: 'string', examples: ['"b3Vr"'] },
  },
}

const describePermission = ({ permission, privilege }: Route): string => {
  if (permission === 'none') return 'Needs no credential.'
  if (privilege !== undefined) return 'Needs a verified sign-in.'
  return permission === 'signed-in' ? 'Needs a token.' : `Needs a verified sign-in and the permission \`${permission}\`.`
}

const locationHeader = (description: string, required = true): Described['headers'] => ({
  Location: { description, required, schema: { type: 'string', format: 'uri-reference' } },
})

/** Headers of every answer with the status. */
const statusHeaders: Readonly<Record<string, Described['headers']>> = {
  101: { Upgrade: { description: 'The new protocol.', required: true, schema: { type: 'string', const: 'websocket' } } },
  201: locationHeader('The address of the new resource; absent if it has none.', false),
  202: locationHeader('The address of the job.'),
  302: locationHeader('The new address.'),
}

const describeHeaders = (route: Route, status: string, refer: Refer): Pick<Described, 'headers'> => {
  const { responses, responseHeaders = {}, hasEtag } = route
  const own = Object.entries(responseHeaders).map(([name, schema]) => {
    const { description, ...rest } = schema
    return [name, description === undefined ? { schema: refer(rest) } : { description, schema: refer(rest) }]
  })
  const hasOwn = status === '200' || typeof responses[Number(status)] !== 'string'
  const headers = {
    ...statusHeaders[status],
    ...(hasOwn && hasEtag ? etagHeader : {}),
    ...(hasOwn ? Object.fromEntries(own) : {}),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** OpenAPI 3.1 has no schema for lines. `contentSchema` says what the text contains: the lines as an array. */
const linesOf = (mediaType: string, line: Schema): Schema => ({
  type: 'string',
  description: 'JSON Lines: each line is an item of `contentSchema`.',
  contentMediaType: mediaType,
  contentSchema: { type: 'array', items: line },
})

/** Lines of JSON and YAML are text for a client. Binary content has no example. */
const mediaOf = (mediaType: string, schema: TSchema, refer: Refer, isWhole: boolean): Media => {
  if (schema.format === 'binary') return { schema: refer(schema) }
  if (/yaml|^text/.test(mediaType)) return { schema: refer(schema), example: exampleOf(schema, isWhole, 'content') }
  const example = exampleOf(schema, isWhole)
  return mediaType.endsWith('ndjson')
    ? { schema: linesOf(mediaType, refer(schema)), example: `${JSON.stringify(example)}\n` }
    : { schema: refer(schema), example }
}

const contentOf = (schemas: Readonly<Record<string, TSchema>>, refer: Refer, isWhole: boolean): Content =>
  Object.fromEntries(
    Object.entries(schemas).map(([mediaType, schema]) => [mediaType, mediaOf(mediaType, schema, refer, isWhole)]),
  )

const describeResponses = (route: Route, refer: Refer): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, response]) => [
      status,
      typeof response === 'string'
        ? { description: response, ...describeHeaders(route, status, refer) }
        : {
            description: response.description ?? 'Success.',
            ...describeHeaders(route, status, refer),
            content: contentOf(
              { [route.mediaType ?? 'application/json']: response, ...(status === '200' ? route.alternatives : {}) },
              refer,
              true,
            ),
          },
    ]),
  )

const describeBody = (route: Route, refer: Refer): Pick<Operation, 'requestBody'> => {
  const { body, bodyBytesMax = bodyBytesDefault, bodyMediaTypes = ['application/json'] } = route
  if (body === undefined) return {}
  return {
    requestBody: {
      required: route.isBodyOptional !== true,
      description: `At most ${formatBytes(bodyBytesMax)}.`,
      'x-bytes-max': bodyBytesMax,
      content: contentOf(Object.fromEntries(bodyMediaTypes.map((name) => [name, body])), refer, false),
    },
  }
}

/** The limit that counts requests without a credential. */
const describeCount = ({ countedAs }: Route): string =>
  countedAs === undefined
    ? ''
    : ' Every request counts by its address against `http.rateLimits.signInPerMinutePerAddress`, refused ones too.'

/** For routes that replace a part of something. */
const describeNoChange = ({ method }: Route): string =>
  method === 'put' ? ' A write that changes nothing returns the usual answer and leaves no entry in the audit log.' : ''

/** For routes that browsers are sent to. */
const describePage = ({ isForPeople }: Route): string =>
  isForPeople ? ' Clients that prefer HTML, such as browsers, get problems as a page with the same status.' : ''

/** For routes that links lead to. */
const describeQuery = ({ ignoresQuery }: Route): string => (ignoresQuery ? ' The query is ignored.' : '')

const describeRoute = (route: Route, refer: Refer): Operation => ({
  operationId: route.operationId,
  'x-permission': route.permission,
  tags: [tagOf(route.path)],
  summary: route.summary,
  description:
    describePermission(route) + describeCount(route) + describeNoChange(route) + describePage(route) + describeQuery(route),
  security: route.permission === 'none' ? [] : [{ bearer: [] }],
  parameters: [
    ...parametersOf('path', route.params, refer),
    ...parametersOf('query', route.query, refer),
    ...tagParametersOf(route),
  ],
  ...describeBody(route, refer),
  responses: {
    ...describeProblems(problemsOf(route), route.path),
    ...(route.method === 'get' && route.hasEtag
      ? { 304: { description: 'You have the newest version.', headers: etagHeader } }
      : {}),
    ...describeResponses(route, refer),
  },
})

/** The OpenAPI 3.1 description of `routes`, made from their declarations only. Schemas of `names` become components. */
export const createOpenapi = (
  routes: readonly Route[],
  facts: { readonly version: string; readonly baseUrl: string; readonly names?: SchemaNames },
): Openapi => {
  const { refer, components } = createReferences(facts.names ?? {})
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const route of routes) {
    const path = templatePath(route.path)
    paths[path] = { ...paths[path], [route.method]: describeRoute(route, refer) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: facts.version,
      description: 'The server side of a multiplayer voxel game, over HTTP.',
      contact: { name: 'The operators of this server', url: facts.baseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: listTags(routes.map(({ path }) => path)),
    servers: [{ url: facts.baseUrl }],
    paths,
    components: {
      schemas: { ...components, Problem: problemSchema },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a sign-in, valid for ten minutes, or an API token.',
        },
      },
    },
    'x-problems': problemSlugs.map((slug) => ({ slug, status: problemStatuses[slug], ...problems[slug] })),
  }
}
