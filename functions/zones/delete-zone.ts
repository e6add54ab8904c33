import { noContent, route } from '../http/route.ts'
import { ZoneParams } from './zone-inputs.ts'
import { versionOfTag } from './zone-view.ts'

/** Deletes a zone and keeps its blocks. */
export const deleteZone = route({
  method: 'delete',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.write',
  operationId: 'deleteZone',
  summary: 'Delete a zone. Its blocks stay and are no longer protected.',
  params: ZoneParams,
  responses: { 204: 'The zone is deleted.' },
  problems: ['not-found', 'stale'],
  handle: async ({ zones }, { params, actor, request }) => {
    await zones.removeZone(actor, params.id, versionOfTag(request.ifMatch))
    return noContent
  },
})
