import { type Static, Type } from '@sinclair/typebox'
import type { NodeReport } from '../../shared/domain/reports/node-reports.ts'
import { NodeStep, stepsKept } from '../../shared/domain/reports/node-steps.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { ok, route } from '../http/route.ts'

export const NodeMetrics = ClosedObject({
  node: Type.String(),
  steps: Type.Array(NodeStep, { description: 'Steps of five seconds, oldest first.' }),
})

const parseSteps = createParser(Type.Array(NodeStep, { maxItems: stepsKept }))

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

/** Shows the load of each node in the last ten minutes, without Prometheus. */
export const listMetrics = route({
  method: 'get',
  path: '/api/admin/metrics',
  permission: 'admin.metrics.read',
  operationId: 'listNodeMetrics',
  summary: 'The load of each real-time node in the last ten minutes, in steps of five seconds.',
  responses: { 200: ClosedObject({ nodes: Type.Array(NodeMetrics) }) },
  handle: async ({ nodeReports }) => ok({ nodes: (await nodeReports.list('metrics')).map(toView) }),
})
