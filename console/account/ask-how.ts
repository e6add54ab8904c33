import { signal } from '@preact/signals'
import { createCall } from '../../sdk/admin.ts'
import { serverUrl } from '../state/session.ts'

/** The name that `server.name` of `server.yaml` sets; undefined without one. */
export const serverName = signal<string | undefined>(undefined)

/** How this server signs visitors in, and its name. Needs no sign-in. */
export const askHow = async () => {
  const { body } = await createCall({ url: serverUrl, token: () => '' })('GET /api/auth/config')
  serverName.value = body.name
  return body
}
