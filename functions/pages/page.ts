import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../http/route.ts'

/**
 * The only code in pages that creates addresses of workers (`play/render/trusted-urls.ts`). Browsers let no other code load a
 * script by an address.
 */
const trustedTypesPolicy = 'gatehouse'

/** Nothing from other origins, nothing inline, no eval. Connections only to this server and `sockets`. */
const createPolicy = (sockets: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "worker-src 'self'",
    `connect-src ${["'self'", ...sockets].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypesPolicy}`,
  ].join('; ')

const socketOf = (url: string): readonly string[] => (URL.canParse(url) ? [new URL(url).origin.replace(/^http/, 'ws')] : [])

/**
 * The policy of a page. It allows connections to this server and to all nodes known now, because a session can be handed over
 * to them. A node that starts later is reached through this server.
 */
const readPagePolicy = async ({ baseUrl, nodes }: Pick<HttpDeps, 'baseUrl' | 'nodes'>): Promise<string> => {
  // Without the registry, pages are still served.
  const known = await nodes.list().catch(() => [])
  return createPolicy([...new Set([baseUrl, ...known.map(({ url }) => url)].flatMap(socketOf))].sort())
}

/** The same for files of pages: a worker is bound by the policy of its own file. */
const filePolicy = createPolicy([])

/** The page at `/<name>`. It contains no data, so it needs no sign-in. */
export const createPageRoute = (name: string, summary: string): Route =>
  route({
    method: 'get',
    path: `/${name}`,
    permission: 'none',
    operationId: `open${name.charAt(0).toUpperCase()}${name.slice(1)}Page`,
    hasEtag: true,
    summary,
    ignoresQuery: true,
    responses: { 200: 'The page.' },
    problems: ['not-found'],
    handle: async (deps) => {
      const page = await deps.pages.findPage(name)
      if (page === undefined)
        throw new AppError('not-found', 'not-found', 'This page is not built. Run `npm run pages` on the server.')
      const policy = await readPagePolicy(deps)
      return {
        status: 200,
        body: page.bytes,
        encoded: page.encoded,
        contentType: page.contentType,
        etag: hashSecret(`${page.etag} ${policy}`).slice(0, 32),
        headers: { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' },
      }
    },
  })

/** The name of the tarball stays the same when its content changes. */
const cacheControlOf = (name: string): string => (name.endsWith('.tgz') ? 'no-cache' : 'public, max-age=31536000, immutable')

/** A script, style or picture of a page, or the client library. All but the last have a new name for new content, so browsers cache them. */
export const pageFile = route({
  method: 'get',
  path: '/pages/:file',
  permission: 'none',
  operationId: 'getPageFile',
  hasEtag: true,
  summary: 'A file of a page, or the client library as a tarball for npm: `gatehouse-client.tgz`.',
  ignoresQuery: true,
  params: ClosedObject({ file: Type.String() }),
  responses: { 200: 'The file.' },
  problems: ['not-found'],
  handle: async ({ pages }, { params }) => {
    const file = await pages.findFile(params.file)
    if (file === undefined) throw new AppError('not-found', 'not-found', 'No page has a file with this name.')
    return {
      status: 200,
      body: file.bytes,
      encoded: file.encoded,
      contentType: file.contentType,
      etag: file.etag,
      headers: { 'Cache-Control': cacheControlOf(params.file), 'Content-Security-Policy': filePolicy },
    }
  },
})
