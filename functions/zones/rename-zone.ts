import { Zone } from '../../shared/zones/zone.ts'
import { route } from '../http/route.ts'
import { NameBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag } from './zone-view.ts'

/** Gives a zone another name. */
export const renameZone = route({
  method: 'put',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.write',
  summary: 'Give a zone another name.',
  params: ZoneParams,
  body: NameBody,
  responses: { 200: Zone },
  problems: ['not-found', 'stale'],
  handle: async ({ zones }, { params, body, actor, request }) =>
    okZone(await zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
