import { noContent, route } from '../http/route.ts'
import { bearerOf } from './bearer-of.ts'

/** Ends the sign-in: its tokens everywhere, and the live session that one of them opened. */
export const logout = route({
  method: 'post',
  path: '/auth/logout',
  permission: 'signed-in',
  operationId: 'signOut',
  notByToken: true,
  summary: 'End this sign-in, its tokens and its live session.',
  responses: { 204: 'The sign-in has ended.' },
  handle: async ({ signIn }, { request }) => {
    await signIn.logout(bearerOf(request))
    return noContent
  },
})
