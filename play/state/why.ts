import { type Answer, createCall } from '../../sdk/admin.ts'
import type { SignIn } from '../../sdk/client.ts'

/** The API's answer on whether an action is allowed, and why. */
export type Why = Answer<'GET /api/admin/explain'>['body']

/** Runs the query of a path from the server. Uses only its query values. */
const readQuestion = (path: string) => {
  const given = new URL(path, 'http://nowhere').searchParams
  const numberOf = (name: string) => (given.has(name) ? { [name]: Number(given.get(name)) } : {})
  const textOf = (name: string) => (given.has(name) ? { [name]: given.get(name) ?? '' } : {})
  return {
    email: given.get('email') ?? '',
    ...textOf('permission'),
    ...textOf('command'),
    ...textOf('world'),
    ...numberOf('x'),
    ...numberOf('y'),
    ...numberOf('z'),
    ...textOf('type'),
  }
}

export const readWhy = async ({ url, token, fetch }: Pick<SignIn, 'url' | 'token' | 'fetch'>, path: string): Promise<Why> =>
  (await createCall({ url, token, fetch })('GET /api/admin/explain', { query: readQuestion(path) })).body
