import { type Static, Type } from '@sinclair/typebox'
import { dayStepSeconds, dayStepsKept, NodeStep, stepSeconds, stepsKept } from '../../shared/domain/node-reports/day-records.ts'
import type { NodeReport } from '../../shared/domain/node-reports/node-reports.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { ok, route } from '../http/route.ts'

export const NodeMetrics = ClosedObject({
  node: Type.String(),
  steps: Type.Array(NodeStep, { description: 'Steps of `stepSeconds`, oldest first.' }),
})

const parseSteps = createParser(Type.Array(NodeStep, { maxItems: Math.max(stepsKept, dayStepsKept) }))

const readSteps = (text: string): readonly NodeStep[] => {
  try {
    const steps = parseSteps(JSON.parse(text))
    return steps.ok ? steps.value : []
  } catch {
    return []
  }
}

/** A node of another version with another format has no steps. */
const toView = ({ nodeId, text }: NodeReport): Static<typeof NodeMetrics> => ({ node: nodeId, steps: [...readSteps(text)] })

/** Shows the load of each node in the last ten minutes or the last day, without Prometheus. */
export const listMetrics = route({
  method: 'get',
  path: '/api/admin/metrics',
  permission: 'admin.metrics.read',
  operationId: 'listNodeMetrics',
  summary: 'The load of each real-time node: ten minutes in steps of five seconds, or a day in steps of two minutes.',
  query: ClosedObject({
    span: Type.Optional(
      Type.Union([Type.Literal('minutes'), Type.Literal('day')], {
        description:
          '`minutes`: the last ten minutes, the default. `day`: the last 24 hours of the world that the node runs, also before its start.',
      }),
    ),
  }),
  responses: {
    200: ClosedObject({
      stepSeconds: Type.Integer({ minimum: 1, description: 'The length of a step: 5 or 120 seconds.' }),
      nodes: Type.Array(NodeMetrics),
    }),
  },
  handle: async ({ nodeReports }, { query: { span = 'minutes' } }) =>
    ok({
      stepSeconds: span === 'day' ? dayStepSeconds : stepSeconds,
      nodes: (await nodeReports.list(span === 'day' ? 'day' : 'metrics')).map(toView),
    }),
})
