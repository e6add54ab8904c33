import { GatehouseError } from '../errors.ts'
import { findUrl } from './find-url.ts'

/** The base address of a server without a slash at its end; throws GatehouseError `invalid-address` for what can be none. */
export const parseServerAddress = (url: string): string => {
  const example = 'such as http://127.0.0.1:3000'
  const parsed = findUrl(url)
  if (parsed === undefined)
    throw new GatehouseError('invalid-address', `"${url}" is no address: give the server's whole one, ${example}.`)
  const { protocol, origin, pathname, username, password } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new GatehouseError(
      'invalid-address',
      `"${url}" does not begin with http:// or https://: give the server's address, ${example}.`,
    )
  if (username !== '' || password !== '')
    throw new GatehouseError(
      'invalid-address',
      `The address holds a user name or password: sign in with them, and give ${origin}.`,
    )
  return origin + pathname.replace(/\/+$/, '')
}
