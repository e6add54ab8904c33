import { AppError } from './errors.ts'
import { healthPaths } from './health-paths.ts'
import { isLoopback, isLoopbackHost } from './loopback.ts'

/** The settings for the host names of a server. */
export type HostRules = {
  /** The address that it listens on. */
  readonly listensOn: string
  /** Its own URLs, such as `BASE_URL`. */
  readonly urls: readonly (string | undefined)[]
  /** The current `http.hosts` of `server.yaml`. */
  readonly hosts: () => readonly string[]
}

const nameOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)

/**
 * Returns a function that says whether a server answers a request for `host`, the raw header.
 *
 * On loopback, it answers to the names of loopback, of `urls` and of `hosts`, with any port. This stops pages of other sites whose name
 * was made to resolve to this machine (DNS rebinding). A server on another address answers to every name until `hosts` lists some. A
 * request without the header passes, because browsers always send one.
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

/** Whether a server on `listensOn` answers a plain request for `path` with any host name: health checks, except on loopback. */
export const isForAnyHost = (path: string, listensOn: string): boolean => healthPaths.has(path) && !isLoopback(listensOn)

export const misdirected = (): AppError =>
  new AppError(
    'invalid',
    'misdirected-request',
    'This server does not answer to that host name. Use the address that it printed at its start, or ask an operator to add the name to `http.hosts` in server.yaml.',
  )
