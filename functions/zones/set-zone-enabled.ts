import { route } from '../http/route.ts'
import { EnabledBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag, ZoneView } from './zone-view.ts'

/** Enables or disables a zone for players. Its blocks do not change. */
export const setZoneEnabled = route({
  method: 'put',
  path: '/api/admin/instances/:id/enabled',
  permission: 'admin.instances.write',
  operationId: 'setZoneEnabled',
  hasEtag: true,
  summary: 'Enable or disable a zone for players.',
  params: ZoneParams,
  body: EnabledBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
