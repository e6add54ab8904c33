import { route } from '../http/route.ts'
import { LayoutBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag, ZoneView } from './zone-view.ts'

/** Stores how the editor shows a zone. The game does not change. */
export const setZoneLayout = route({
  method: 'put',
  path: '/api/admin/instances/:id/layout',
  permission: 'admin.instances.write',
  operationId: 'setZoneLayout',
  hasEtag: true,
  summary: 'Store the clip planes and palettes of the editor. The game does not change.',
  params: ZoneParams,
  body: LayoutBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
