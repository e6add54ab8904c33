import { isIP } from 'node:net'

/** Whether only this machine can reach a listener on `host`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
