import { MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import { route } from '../http/route.ts'
import { EnabledBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag } from './zone-view.ts'

/** Enables or disables a zone for players. Its blocks do not change. */
export const setZoneEnabled = route({
  method: 'put',
  path: '/api/admin/instances/:id/enabled',
  permission: 'admin.instances.write',
  summary: 'Enable or disable a zone for players.',
  params: ZoneParams,
  body: EnabledBody,
  responses: { 200: MarkedZone },
  problems: ['not-found', 'stale'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
