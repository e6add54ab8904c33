import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'

/** Alive; says nothing of what it depends on. */
export const healthz = route({
  method: 'get',
  path: '/healthz',
  permission: 'none',
  summary: 'Whether the process is alive.',
  responses: { 200: Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false }) },
  handle: () => ok({ status: 'ok' }),
})
