import { isIP } from 'node:net'

/** Whether only this machine can reach a listener on `host`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The host of an address as `net` takes it: without the brackets of IPv6. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Whether an address is plain HTTP within this machine, which nobody can listen to on the way. */
export const isPlainLoopback = (url: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  url.protocol === 'http:' && isLoopback(hostOf(url))

/** Whether a server on `host` that people know as `baseUrl` is for this machine alone; what cannot be read is for more. */
export const isWithinMachine = ({ host, baseUrl }: { readonly host: string; readonly baseUrl: string }): boolean =>
  isLoopback(host) && URL.canParse(baseUrl) && isLoopback(hostOf(new URL(baseUrl)))

/** Whether an `Origin` is that of a page which this machine serves, whatever its port. */
export const isLoopbackOrigin = (origin: string): boolean => {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && /^https?:$/.test(url.protocol) && isLoopback(hostOf(url))
}

/** Whether a `Host` header names this machine. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && URL.canParse(`http://${host}`) && isLoopback(hostOf(new URL(`http://${host}`)))
