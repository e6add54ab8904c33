import { ok, route } from '../http/route.ts'
import { bearerOf } from './bearer-of.ts'
import { Renewed } from './signed-in.ts'

/** Issues another token of the same sign-in. The previous one expires at its own time. */
export const renew = route({
  method: 'post',
  path: '/auth/renew',
  permission: 'signed-in',
  operationId: 'renewToken',
  notByToken: true,
  summary: 'A new token for another ten minutes, up to twelve hours after the sign-in.',
  responses: { 200: Renewed },
  problems: ['sign-in-expired'],
  handle: async ({ signIn }, { request }) => ok(await signIn.renew(bearerOf(request))),
})
