import { type Static, Type } from '@sinclair/typebox'
import { listZoneBlocks as listBlocks, listedBlocksMax } from '../../shared/domain/zones/blocks/zone-blocks.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { type ChunkPos, chunkMax, chunkMin } from '../../shared/rules/positions.ts'
import { withEnd } from '../http/answer/with-end.ts'
import { route, stream } from '../http/route.ts'
import { ZoneParams } from './zone-inputs.ts'

const Coordinate = Type.Optional(Type.Integer({ minimum: chunkMin, maximum: chunkMax }))

const ColumnQuery = ClosedObject({ cx: Coordinate, cz: Coordinate }, { dependentRequired: { cx: ['cz'], cz: ['cx'] } })

const Line = ClosedObject(
  { x: Type.Integer(), y: Type.Integer(), z: Type.Integer(), type: Type.String() },
  {
    description:
      'One block a line, air left out, ordered by `y`, then column (`cx`, `cz`), then `x`, then `z`; the cap leaves the lowest layers. Streamed, and as gzip where the client accepts that.',
  },
)

/** The column that a query asks for; undefined for all. The schema sees to it that both coordinates are there or none. */
const columnOf = ({ cx, cz }: Static<typeof ColumnQuery>): ChunkPos | undefined =>
  cx === undefined || cz === undefined ? undefined : { cx, cz }

/** Lists what stands in a zone, of any world, enabled or not, as players see it. */
export const listZoneBlocks = route({
  method: 'get',
  path: '/api/admin/instances/:id/blocks',
  permission: 'admin.instances.read',
  summary: 'The blocks of a zone, or of one column of it: nothing when the column is not the zone’s.',
  params: ZoneParams,
  query: ColumnQuery,
  responses: { 200: Line },
  mediaType: 'application/x-ndjson',
  responseHeaders: {
    'X-Total-Blocks': Type.Integer({ minimum: 0, description: 'All blocks of the answer, those too that the cap cuts off.' }),
    'X-Block-Limit': Type.Integer({ const: listedBlocksMax, description: 'Lines that an answer has at most.' }),
  },
  problems: ['not-found', 'answer-too-large', 'world-unusable'],
  handle: async ({ zones, worlds, chunks, listings, turns, log }, { params, query, actor, request }) => {
    // Before anything is read: refusals come by the hundred.
    const release = listings.take(request.grant?.signInId ?? actor.playerId)
    const signal = request.clientGone()
    signal.addEventListener('abort', release, { once: true })
    try {
      const { zone } = await zones.getZone(params.id)
      const world = await worlds.getWorld(zone.world)
      const { total, pieces } = await listBlocks(
        { chunks, turns, log: log.child({ requestId: request.requestId }) },
        { zone, world, column: columnOf(query), signal },
      )
      const headers = { 'X-Total-Blocks': String(total), 'X-Block-Limit': String(listedBlocksMax) }
      return { ...stream('application/x-ndjson', withEnd(pieces, release), headers), compress: true }
    } catch (error) {
      release()
      throw error
    }
  },
})
