import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { createProblemReply } from '../../shared/kernel/problems/problem-reply.ts'
import { describeNotReady } from '../../shared/services/readiness.ts'
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

export const Report = ClosedObject({
  ready: Type.Boolean(),
  dependencies: Type.Array(
    ClosedObject({
      name: Type.String({ description: '`redis`, `dynamodb`, `records`, `accounts`; `process` while it stops.' }),
      neededFor: Type.String({ description: 'What does not work without it.' }),
      ok: Type.Boolean(),
      detail: Type.Optional(Type.String()),
    }),
  ),
  warnings: Type.Array(Type.String(), { description: 'Faults that stop nothing.' }),
})

/** Whether to send traffic here, with each dependency by name. The 503 is a problem that carries the same report. */
export const readyz = route({
  method: 'get',
  path: '/readyz',
  permission: 'none',
  operationId: 'checkReadiness',
  summary: 'Whether the process can take traffic, with each dependency by name.',
  responses: { 200: Report },
  problems: ['service-unavailable'],
  handle: async ({ readiness }) => {
    const report = await readiness.check()
    if (report.ready) return ok(report)
    const { problem, headers } = createProblemReply(describeNotReady(report), '/readyz')
    return { status: problem.status, body: { ...problem, ...report }, contentType: 'application/problem+json', headers }
  },
})
