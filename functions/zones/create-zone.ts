import { columnsBodyBytesMax } from '../http/body-sizes.ts'
import { created, route } from '../http/route.ts'
import { NewZoneBody } from './zone-inputs.ts'
import { ZoneView } from './zone-view.ts'

/** Creates a zone, enabled from the start. */
export const createZone = route({
  method: 'post',
  path: '/api/admin/instances',
  permission: 'admin.instances.write',
  operationId: 'createZone',
  hasEtag: true,
  summary: 'Add a zone over generated columns of a world, the active one by default. It protects them from the next tick on.',
  body: NewZoneBody,
  bodyBytesMax: columnsBodyBytesMax,
  responses: { 201: ZoneView },
  problems: ['rule-broken', 'chunks-not-generated', 'zone-overlap', 'world-unusable'],
  handle: async ({ zones }, { body, actor }) => {
    const { zone, version } = await zones.createZone(actor, body)
    return { ...created(zone, `/api/admin/instances/${zone.id}`), etag: version }
  },
})
