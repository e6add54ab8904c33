import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Alive; says nothing of what it depends on. */
export const healthz = route({
  method: 'get',
  path: '/healthz',
  permission: 'none',
  summary: 'Whether the process is alive.',
  responses: { 200: ClosedObject({ status: Type.Literal('ok') }) },
  handle: () => ok({ status: 'ok' }),
})
