import type { HttpDeps } from '../deps.ts'

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
export const readPagePolicy = async ({ baseUrl, nodes }: Pick<HttpDeps, 'baseUrl' | 'nodes'>): Promise<string> => {
  // Without the registry, pages are still served.
  const known = await nodes.list().catch(() => [])
  return createPolicy([...new Set([baseUrl, ...known.map(({ url }) => url)].flatMap(socketOf))].sort())
}

/** The same for files of pages: a worker is bound by the policy of its own file. */
export const filePolicy = createPolicy([])
