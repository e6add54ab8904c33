import { type Static, Type } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'

const Schema = Type.Record(Type.String(), Type.Unknown())
export type JsonSchema = Static<typeof Schema>

const Parameter = Type.Object({
  name: Type.String(),
  in: Type.Union([Type.Literal('path'), Type.Literal('query'), Type.Literal('header')]),
  required: Type.Boolean(),
  schema: Schema,
})

const Content = Type.Record(Type.String(), Type.Object({ schema: Schema }))
const Headers = Type.Record(Type.String(), Type.Object({ schema: Schema, required: Type.Optional(Type.Boolean()) }))
const Response = Type.Object({ content: Type.Optional(Content), headers: Type.Optional(Headers) })

const Described = Type.Object({
  operationId: Type.String(),
  description: Type.String(),
  'x-permission': Type.String(),
  security: Type.Array(Schema),
  parameters: Type.Array(Parameter),
  requestBody: Type.Optional(
    Type.Object({
      required: Type.Optional(Type.Boolean()),
      'x-bytes-max': Type.Integer({ minimum: 1 }),
      content: Content,
    }),
  ),
  responses: Type.Record(Type.String(), Response),
})

const Document = Type.Object({
  openapi: Type.String({ pattern: '^3\\.1\\.' }),
  info: Type.Object({ version: Type.String() }),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Described)),
  components: Schema,
  'x-problems': Type.Array(Type.Object({ slug: Type.String(), status: Type.Integer() })),
})

/** Allowed callers: anyone, anyone with a live token, or a caller with the permission. */
export type Permission = 'none' | 'signed-in' | `admin.${string}`

/** An operation of the OpenAPI document. */
export type Operation = Static<typeof Described> & {
  /** In capitals. */
  readonly method: string
  /** Parameters in braces. */
  readonly path: string
  readonly permission: Permission
}

/** Whether the body is a file. Its address names what the upload makes. */
export const takesFile = ({ requestBody }: Pick<Operation, 'requestBody'>): boolean =>
  requestBody?.content['application/octet-stream'] !== undefined

/** The API description of a server. */
export type ApiDescription = {
  readonly version: string
  readonly operations: readonly Operation[]
  /** The status of each problem, by its slug. */
  readonly problems: ReadonlyMap<string, number>
}

const isAdmin = (name: string): name is `admin.${string}` => name.startsWith('admin.')

const permissionOf = ({ security, 'x-permission': name }: Static<typeof Described>): Permission => {
  if (security.length === 0) return 'none'
  return isAdmin(name) ? name : 'signed-in'
}

const prefix = '#/components/'

/** The document with the components in place of the references to them. Equal references share one object. */
const resolveReferences = (document: unknown): unknown => {
  const parsed = parseComponents(document)
  if (!parsed.ok) return document
  const { components } = parsed.value
  const resolved = new Map<string, unknown>()
  const resolveComponent = (reference: string): unknown => {
    const [kind = '', name = ''] = reference.slice(prefix.length).split('/')
    const component = resolved.get(reference) ?? resolve(components[kind]?.[name])
    resolved.set(reference, component)
    return component
  }
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest }: Record<string, unknown> = { ...value }
    if (typeof $ref !== 'string' || !$ref.startsWith(prefix))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one)]))
    const component = resolveComponent($ref)
    if (Object.keys(rest).length === 0) return component ?? {}
    return { ...(typeof component === 'object' ? component : {}), ...rest }
  }
  return resolve(document)
}

const parseDocument = createParser(Document)
const parseComponents = createParser(
  Type.Object({ components: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())) }),
)

/** Reads an OpenAPI document of Gatehouse. Throws an Error that names the missing part of any other document. */
export const parseApiDescription = (document: unknown): ApiDescription => {
  const parsed = parseDocument(resolveReferences(document))
  if (!parsed.ok) {
    const [fault] = parsed.faults
    throw new Error(`/api/openapi.json does not describe a Gatehouse server: ${fault?.pointer ?? ''} ${fault?.message ?? ''}`)
  }
  const { info, paths } = parsed.value
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
      permission: permissionOf(described),
    })),
  )
  const problems = new Map(parsed.value['x-problems'].map(({ slug, status }) => [slug, status]))
  return { version: info.version, operations, problems }
}

/** The name of an operation in the report. */
export const nameOperation = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`

const escapeLiteral = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')

const patternOf = (path: string, last: string): RegExp => {
  const parts = path.split(/\{[^}]*\}/).map(escapeLiteral)
  const end = parts.pop() ?? ''
  return new RegExp(`^${parts.join('[^/]+')}${path.includes('{') ? (end === '' ? last : '[^/]+') : ''}${end}$`)
}

/** The operation that serves a request. A parameter at the end takes slashes only if no other address matches. */
export const findOperation = ({ operations }: ApiDescription, method: string, target: string): Operation | undefined => {
  const address = target.split('?', 1)[0] ?? ''
  const found =
    operations.find(({ path }) => path === address) ??
    operations.find(({ path }) => patternOf(path, '[^/]+').test(address)) ??
    operations.find(({ path }) => patternOf(path, '.+').test(address))
  const asked = method === 'HEAD' ? 'GET' : method
  return operations.find((operation) => operation.path === found?.path && operation.method === asked)
}
