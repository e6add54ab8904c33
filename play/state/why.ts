import { type Answer, createCall } from '../../sdk/admin.ts'
import type { SignIn } from '../../sdk/client.ts'

/** The whole answer why somebody may or may not. */
export type Why = Answer<'GET /api/admin/explain'>['body']

/** What a path that the server named asks; nothing of it but the values of its query is used. */
export const readQuestion = (path: string) => {
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
  }
}

export const readWhy = async ({ url, token, fetch }: Pick<SignIn, 'url' | 'token' | 'fetch'>, path: string): Promise<Why> =>
  (await createCall({ url, token, fetch })('GET /api/admin/explain', { query: readQuestion(path) })).body
