import type { Operation } from './openapi.ts'

/** Quoted for a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const bodyOf = ({ requestBody }: Operation): readonly string[] => {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return []
  const data = mediaType === 'application/json' ? quoted(JSON.stringify(content.example)) : '@file.yaml'
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
