import { createCall } from '../../sdk/admin.ts'
import { serverUrl } from '../state/session.ts'

/** How this server signs visitors in. Needs no sign-in. */
export const askHow = async () => (await createCall({ url: serverUrl, token: () => '' })('GET /api/auth/config')).body
