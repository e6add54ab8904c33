import { AppError } from './errors.ts'
import { healthPaths } from './health-paths.ts'
import { isLoopback, isLoopbackHost } from './loopback.ts'

/** What decides under which names a server answers. */
export type HostRules = {
  /** Where it listens. */
  readonly listensOn: string
  /** Its own addresses, such as `BASE_URL`. */
  readonly urls: readonly (string | undefined)[]
  /** `http.hosts` of `server.yaml` as it applies now. */
  readonly hosts: () => readonly string[]
}

const nameOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)

/**
 * Whether a server answers a request for `host`, the header as it came. On loopback it answers to the names of loopback, of `urls` and of
 * `hosts`, whatever the port: a page of another site whose name was made to resolve to this machine (DNS rebinding) asks by that site's
 * name. A server that listens elsewhere answers to every name until `hosts` lists some. A request without the header passes: no browser
 * sends one.
 */
export const createAcceptsHost = ({ listensOn, urls, hosts }: HostRules) => {
  const own = new Set(urls.flatMap((url) => (url === undefined ? [] : [nameOf(url)])))
  return (host: string | undefined): boolean => {
    const listed = hosts()
    if (host === undefined || (!isLoopback(listensOn) && listed.length === 0)) return true
    if (isLoopbackHost(host)) return true
    const name = nameOf(`http://${host}`)
    return name !== undefined && (own.has(name) || listed.some((one) => nameOf(`http://${one}`) === name))
  }
}

/** Whether a server that listens on `listensOn` answers a plain request for `path` by any name: health checks, off loopback. */
export const isForAnyHost = (path: string, listensOn: string): boolean => healthPaths.has(path) && !isLoopback(listensOn)

export const misdirected = (): AppError =>
  new AppError(
    'invalid',
    'misdirected-request',
    'This server does not answer to that host name. Use the address that it printed at its start; an operator lists other names in `http.hosts` of server.yaml.',
  )
