import { noContent, route } from '../http/route.ts'
import { ZoneParams } from './zone-inputs.ts'
import { versionOfTag } from './zone-view.ts'

/** Removes a zone; its blocks stay as they are. */
export const deleteZone = route({
  method: 'delete',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.write',
  summary: 'Remove a zone; its blocks stay, and nothing protects them any more.',
  params: ZoneParams,
  responses: { 204: 'The zone is gone.' },
  problems: ['not-found', 'stale'],
  handle: async ({ zones }, { params, actor, request }) => {
    await zones.removeZone(actor, params.id, versionOfTag(request.ifMatch))
    return noContent
  },
})
