import { GatehouseError } from '../../sdk/auth.ts'
import { call } from '../state/api.ts'
import { words } from '../words.ts'

type Person = { readonly playerId: string; readonly displayName: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const searchedMax = 50

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase()

const findNamed = async (named: string) => {
  const { users } = (await call('GET /api/admin/users', { query: { q: named, limit: searchedMax } })).body
  const [person, ...others] = users.filter(({ displayName }) => fold(displayName) === fold(named))
  if (person === undefined) throw new GatehouseError('not-found', words.people.noneNamed(named))
  if (others.length > 0) throw new GatehouseError('conflict', words.people.severalNamed(named))
  return person
}

/** The email of the account with that display name. Throws an error to show, also where several accounts have the name. */
export const findEmail = async (displayName: string): Promise<string> => (await findNamed(displayName)).email

/** The account of that email, playerId or display name. Throws like `findEmail`. */
export const findPerson = async (text: string): Promise<Person> => {
  const named = text.trim()
  if (named.includes('@')) return (await call('GET /api/admin/users/{email}', { params: { email: named } })).body
  // The server knows whether there is an account with it.
  return uuid.test(named) ? { playerId: named.toLowerCase(), displayName: named } : findNamed(named)
}
