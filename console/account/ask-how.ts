import { createCall } from '../../sdk/admin.ts'
import { serverUrl } from '../state/session.ts'

/** How this server signs people in, for who is not signed in yet. */
export const askHow = async () => (await createCall({ url: serverUrl, token: () => '' })('GET /api/auth/config')).body
