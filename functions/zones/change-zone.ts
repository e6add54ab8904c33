import { route } from '../http/route.ts'
import { refuseUnknownPlayers } from './refuse-unknown-players.ts'
import { NameOwnerBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag, ZoneView } from './zone-view.ts'

/** Changes the name of a zone, its owner, or both in one change. */
export const changeZone = route({
  method: 'put',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.write',
  operationId: 'updateZone',
  hasEtag: true,
  summary: 'Change the name of a zone, its owner, or both.',
  params: ZoneParams,
  body: NameOwnerBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken'],
  handle: async (deps, { params, body, actor, request }) => {
    const owner = body.owner?.toLowerCase()
    const { zone } = await deps.zones.getZone(params.id)
    // The current owner may stay, deleted or not.
    if (owner !== undefined && owner !== zone.owner) await refuseUnknownPlayers(deps, [owner], () => '/owner')
    const change = { ...(body.name !== undefined && { name: body.name }), ...(owner !== undefined && { owner }) }
    return okZone(deps, await deps.zones.changeZone(actor, params.id, change, versionOfTag(request.ifMatch)))
  },
})
