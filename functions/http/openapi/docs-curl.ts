import type { Operation } from './openapi.ts'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** An example value. An object has its required members, or all members if none is required. */
const exampleOf = (schema: Schema): unknown => {
  const [example] = Array.isArray(schema.examples) ? schema.examples : []
  if (example !== undefined) return example
  const [first] = Array.isArray(schema.anyOf) ? schema.anyOf : []
  if (isSchema(first)) return exampleOf(first)
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'object') return exampleObject(schema)
  if (schema.type === 'array') return isSchema(schema.items) ? [exampleOf(schema.items)] : []
  if (schema.type === 'boolean') return true
  return schema.type === 'string' ? '…' : Math.max(0, Number(schema.minimum ?? 0))
}

const exampleObject = ({ properties, required }: Schema): object => {
  const known = isSchema(properties) ? properties : {}
  const names = Array.isArray(required) && required.length > 0 ? required.map(String) : Object.keys(known)
  const exampleOrDots = (schema: unknown) => (isSchema(schema) ? exampleOf(schema) : '…')
  return Object.fromEntries(names.map((name) => [name, exampleOrDots(known[name])]))
}

/** Quoted for a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const bodyOf = ({ requestBody }: Operation): readonly string[] => {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return []
  const data =
    mediaType === 'application/json'
      ? quoted(JSON.stringify(isSchema(content.schema) ? exampleOf(content.schema) : {}))
      : '@file.yaml'
  return [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `${data.startsWith('@') ? '--data-binary' : '-d'} ${data}`]
}

/** Required parameters are names in capitals, for the shell to fill in. */
const addressOf = (baseUrl: string, path: string, { parameters }: Operation): string => {
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = query.map(({ name }) => `${name}=$${name.toUpperCase()}`).join('&')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`)
  return `"${baseUrl}${filled}${search === '' ? '' : `?${search}`}"`
}

/** The curl command of a request, one option per line. Readers fill in `$TOKEN` and the parameters. */
export const createCurl = (
  baseUrl: string,
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Operation },
): string =>
  [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${addressOf(baseUrl, path, operation)}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...bodyOf(operation),
  ].join(' \\\n  ')
