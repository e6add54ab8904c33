import { Type } from '@sinclair/typebox'
import { listModules as listReported, ReportedModule } from '../../shared/domain/modules/admin/module-report.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

/** Lists the modules of all nodes. */
export const listModules = route({
  method: 'get',
  path: '/api/admin/modules',
  permission: 'admin.modules.read',
  operationId: 'listModules',
  summary: 'The modules of all nodes by name, at most a second old: state, time per tick, faults and what they declare.',
  responses: { 200: ClosedObject({ modules: Type.Array(ReportedModule, { description: 'By name.' }) }) },
  handle: async ({ nodeReports }) => ok({ modules: await listReported(nodeReports) }),
})
