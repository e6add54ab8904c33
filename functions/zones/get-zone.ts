import { route } from '../http/route.ts'
import { ZoneParams } from './zone-inputs.ts'
import { okZone, ZoneView } from './zone-view.ts'

export const getZone = route({
  method: 'get',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.read',
  operationId: 'getZone',
  hasEtag: true,
  summary: 'One zone, with its entity tag.',
  params: ZoneParams,
  responses: { 200: ZoneView },
  problems: ['not-found'],
  handle: async (deps, { params }) => okZone(deps, await deps.zones.describeZone(params.id)),
})
