import { parse } from 'node:querystring'
import { AppError, type Fault } from '../../../shared/kernel/errors.ts'

const refuseMalformed = (query: string): void => {
  try {
    decodeURIComponent(query)
  } catch (cause) {
    throw new AppError('invalid', 'bad-request', 'The query holds malformed percent-encoding.', { cause })
  }
}

const toPointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Several times what any route takes. */
const keysMax = 50

const refuseMany = (query: string): void => {
  let keys = 1
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) keys += 1
  if (keys > keysMax) throw new AppError('invalid', 'bad-request', `A query has up to ${keysMax} keys.`)
}

/** The query of a URL by key; throws `invalid` for malformed percent-encoding, more than 50 keys and a key that is there twice. */
export const parseQuery = (url: string): Readonly<Record<string, string>> => {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const query = url.slice(start + 1)
  refuseMany(query)
  refuseMalformed(query)
  const values = new Map<string, string>()
  const errors: Fault[] = []
  for (const [key, value] of Object.entries(parse(query, '&', '=', { maxKeys: 0 }))) {
    if (typeof value === 'string') values.set(key, value)
    else errors.push({ pointer: toPointer(key), message: 'is there more than once' })
  }
  if (errors.length > 0) throw new AppError('invalid', 'bad-request', 'The query is not valid.', { errors })
  return Object.fromEntries(values)
}
