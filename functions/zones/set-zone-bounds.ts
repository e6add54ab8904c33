import { MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import { route } from '../http/route.ts'
import { BoundsBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag } from './zone-view.ts'

/** Changes the floor and the top of a zone. */
export const setZoneBounds = route({
  method: 'put',
  path: '/api/admin/instances/:id/bounds',
  permission: 'admin.instances.write',
  summary: 'Change the floor and the top of a zone.',
  params: ZoneParams,
  body: BoundsBody,
  responses: { 200: MarkedZone },
  problems: ['not-found', 'stale', 'rule-broken', 'zone-overlap'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
