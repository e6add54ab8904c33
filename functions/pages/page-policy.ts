import type { HttpDeps } from '../deps.ts'

/** The one maker of worker addresses in pages (`play/render/trusted-urls.ts`); browsers let nothing else load a script by an address. */
const trustedTypesPolicy = 'gatehouse'

/** Nothing from elsewhere, nothing inline, no eval; of the network this server and `sockets`. */
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
 * The policy of a page. Besides this server it may speak to the nodes that are known now, to which a session can be handed over. A node that comes later is reached through this server.
 */
export const readPagePolicy = async ({ baseUrl, nodes }: Pick<HttpDeps, 'baseUrl' | 'nodes'>): Promise<string> => {
  // While the registry is away pages are served all the same.
  const known = await nodes.list().catch(() => [])
  return createPolicy([...new Set([baseUrl, ...known.map(({ url }) => url)].flatMap(socketOf))].sort())
}

/** The same for files of pages: a worker is bound by the policy of its own file. */
export const filePolicy = createPolicy([])
