import { isIP } from 'node:net'

/** Whether only this machine can reach a listener on `host`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The host of an address as `net` takes it: without the brackets of IPv6. */
export const hostOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Whether an address is plain HTTP within this machine, which nobody can listen to on the way. */
export const isPlainLoopback = (url: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  url.protocol === 'http:' && isLoopback(hostOf(url))
