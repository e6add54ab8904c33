import type { Operation } from '../admin/call.ts'
import type { ApiPaths } from '../admin/generated/api-paths.ts'

/** An account of a fake server. */
export type FakeAccount = { readonly email: string; readonly displayName: string; readonly playerId: string }

/** A request to a route of a fake server. Values of the query are texts. */
export type FakeRequest<O extends Operation> = {
  readonly params: ApiPaths[O]['params']
  readonly query: ApiPaths[O]['query']
  readonly body: ApiPaths[O]['body']
  /** The caller, by their token. */
  readonly account: FakeAccount
}

/** A refusal: calls reject with ProblemError. */
export type FakeProblem = { readonly problem: { readonly status: number; readonly slug: string; readonly title: string } }

/** The body of the answer, or a refusal. */
export type FakeReply<O extends Operation> = FakeProblem | ApiPaths[O]['answers'][keyof ApiPaths[O]['answers']]

/** Answers an operation, instead of the earlier answer to it. The status is 200, or 204 without a body, if it is absent. */
export type Serve = <O extends Operation>(
  operation: O,
  handle: (request: FakeRequest<O>) => FakeReply<O> | Promise<FakeReply<O>>,
  status?: keyof ApiPaths[O]['answers'],
) => void

/** The answer of a server that refuses a request. */
export const toProblem = ({ problem: { status, slug, title } }: FakeProblem): Response =>
  new Response(JSON.stringify({ type: `/problems/${slug}`, title, status, detail: title }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  })

const isProblem = (reply: unknown): reply is FakeProblem => typeof reply === 'object' && reply !== null && 'problem' in reply

const toResponse = (reply: unknown, status: number | undefined): Response => {
  if (isProblem(reply)) return toProblem(reply)
  if (reply === undefined) return new Response(null, { status: status ?? 204 })
  const init = { status: status ?? 200 }
  return typeof reply === 'string' ? new Response(reply, init) : Response.json(reply, init)
}

type Entry = { readonly method: string; readonly path: RegExp; readonly handle: (request: string) => Promise<Response> }

/** The only parameter that contains slashes is the name of a config. */
const patternOf = (template: string): RegExp => {
  const within = template.startsWith('/api/admin/config') ? '.+' : '[^/]+'
  return new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${within})`)}$`)
}

const readBody = (body: unknown): unknown => {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    // A body in YAML.
    return body
  }
}

/** The routes of a fake server that tests add to. */
export const createFakeRoutes = () => {
  const entries = new Map<string, Entry>()
  const serve: Serve = (operation, handle, status) => {
    const [method = '', template = ''] = operation.split(' ')
    entries.set(operation, {
      method,
      path: patternOf(template),
      handle: async (request) => toResponse(await handle(JSON.parse(request)), status === undefined ? undefined : Number(status)),
    })
  }
  const answer = async (address: URL, init: RequestInit, account: FakeAccount): Promise<Response> => {
    const method = init.method ?? 'GET'
    const path = address.pathname
    for (const entry of entries.values()) {
      const found = entry.method === method ? entry.path.exec(path) : null
      if (found === null) continue
      const params = Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]),
      )
      const query = Object.fromEntries(address.searchParams)
      return entry.handle(JSON.stringify({ params, query, body: readBody(init.body), account }))
    }
    const title = `The fake server has no answer to ${method} ${path}. Add one with server.serve.`
    return toProblem({ problem: { status: 404, slug: 'not-found', title } })
  }
  return { serve, answer }
}
