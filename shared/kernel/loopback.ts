import { isIP } from 'node:net'

/** Whether only this machine can reach a listener on `host`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The host of an address in the form for `net`: without the brackets of IPv6. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Whether an address is plain HTTP within this machine, so that no one can listen in. */
export const isPlainLoopback = (url: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  url.protocol === 'http:' && isLoopback(hostOf(url))

/** Whether a server on `host` with the public URL `baseUrl` is for this machine only; false for an unreadable URL. */
export const isWithinMachine = ({ host, baseUrl }: { readonly host: string; readonly baseUrl: string }): boolean =>
  isLoopback(host) && URL.canParse(baseUrl) && isLoopback(hostOf(new URL(baseUrl)))

/** Whether an `Origin` is of a page served by this machine, with any port. */
export const isLoopbackOrigin = (origin: string): boolean => {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && /^https?:$/.test(url.protocol) && isLoopback(hostOf(url))
}

/** Whether a `Host` header names this machine. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && URL.canParse(`http://${host}`) && isLoopback(hostOf(new URL(`http://${host}`)))
