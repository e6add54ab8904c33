import { Type } from '@sinclair/typebox'
import { createMarker, type MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import type { Zone } from '../../shared/domain/zones/zone.ts'
import type { ListedZone } from '../../shared/domain/zones/zone-service.ts'
import { letOthersWork } from '../../shared/kernel/turns.ts'
import { route, stream } from '../http/route.ts'
import { ZonesQuery } from './zone-inputs.ts'
import { viewZone, ZoneView } from './zone-view.ts'

/** Characters to write before other requests get a slot: a zone of many columns takes milliseconds. */
const writtenAtOnce = 262_144

const zonePieces = async function* (
  zones: readonly ListedZone[],
  mark: (zone: Zone) => Promise<MarkedZone>,
): AsyncGenerator<string> {
  let separator = '['
  let written = 0
  for (const { zone, warning } of zones) {
    const marked = { zone: await mark(zone), ...(warning !== undefined && { warning }) }
    const piece = separator + JSON.stringify(viewZone(marked))
    separator = ','
    written += piece.length
    yield piece
    if (written < writtenAtOnce) continue
    written = 0
    await letOthersWork()
  }
  yield zones.length === 0 ? '[]' : ']'
}

/** Lists zones, with a warning for those of a damaged world. */
export const listZones = route({
  method: 'get',
  path: '/api/admin/instances',
  permission: 'admin.instances.read',
  operationId: 'listZones',
  summary: 'Every zone, or those of one world, oldest first.',
  query: ZonesQuery,
  responses: { 200: Type.Array(ZoneView) },
  problems: ['not-found', 'answer-too-large'],
  handle: async ({ zones, accountStore }, { query }) => {
    const listed = await zones.listZones(query.world)
    return stream('application/json; charset=utf-8', zonePieces(listed, createMarker(accountStore)))
  },
})
