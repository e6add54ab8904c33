import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Whether the process runs. Does not check its dependencies. */
export const healthz = route({
  method: 'get',
  path: '/healthz',
  permission: 'none',
  operationId: 'checkHealth',
  summary: 'Whether the process is alive.',
  responses: { 200: ClosedObject({ status: Type.Literal('ok') }) },
  handle: () => ok({ status: 'ok' }),
})
