import { route } from '../http/route.ts'
import { BoundsBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag, ZoneView } from './zone-view.ts'

/** Changes the floor and the top of a zone. */
export const setZoneBounds = route({
  method: 'put',
  path: '/api/admin/instances/:id/bounds',
  permission: 'admin.instances.write',
  operationId: 'setZoneBounds',
  hasEtag: true,
  summary: 'Change the floor and the top of a zone.',
  params: ZoneParams,
  body: BoundsBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken', 'zone-overlap'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
