import { columnsBodyBytesMax } from '../http/body-sizes.ts'
import { route } from '../http/route.ts'
import { ChunksBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag, ZoneView } from './zone-view.ts'

/** Replaces all columns of a zone. */
export const setZoneChunks = route({
  method: 'put',
  path: '/api/admin/instances/:id/chunks',
  permission: 'admin.instances.write',
  operationId: 'setZoneChunks',
  hasEtag: true,
  summary: 'Replace the columns of a zone.',
  params: ZoneParams,
  body: ChunksBody,
  bodyBytesMax: columnsBodyBytesMax,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'chunks-not-generated', 'zone-overlap', 'world-unusable'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
