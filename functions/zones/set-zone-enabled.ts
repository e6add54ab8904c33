import { MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import { route } from '../http/route.ts'
import { EnabledBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag } from './zone-view.ts'

/** Turns a zone on or off for players; the blocks in it stay as they are. */
export const setZoneEnabled = route({
  method: 'put',
  path: '/api/admin/instances/:id/enabled',
  permission: 'admin.instances.write',
  summary: 'Turn a zone on or off for players.',
  params: ZoneParams,
  body: EnabledBody,
  responses: { 200: MarkedZone },
  problems: ['not-found', 'stale'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
