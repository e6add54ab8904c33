import { GatehouseError } from '../errors.ts'
import { findUrl } from './find-url.ts'

/** The base address of a server without a trailing slash. Throws GatehouseError `invalid-address` for an invalid one. */
export const parseServerAddress = (url: string): string => {
  const example = 'such as http://127.0.0.1:3000'
  const parsed = findUrl(url)
  if (parsed === undefined)
    throw new GatehouseError('invalid-address', `"${url}" is not an address. Give the whole address of the server, ${example}.`)
  const { protocol, origin, pathname, username, password } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new GatehouseError(
      'invalid-address',
      `"${url}" does not begin with http:// or https://. Give the address of the server, ${example}.`,
    )
  if (username !== '' || password !== '')
    throw new GatehouseError(
      'invalid-address',
      `The address contains a user name or password. Sign in with them, and give ${origin} instead.`,
    )
  return origin + pathname.replace(/\/+$/, '')
}
