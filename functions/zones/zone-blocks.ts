import { type Static, Type } from '@sinclair/typebox'
import { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import { listZoneBlocks as listBlocks, listedBlocksMax } from '../../shared/domain/zones/blocks/list-zone-blocks.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { type ChunkPos, chunkMax, chunkMin } from '../../shared/rules/positions.ts'
import { withEnd } from '../http/answer/with-end.ts'
import { ok, route, stream } from '../http/route.ts'
import { ZoneParams } from './zones.ts'

/** Lists the active kinds of blocks, which an editor of zones draws and offers. */
export const listBlockKinds = route({
  method: 'get',
  path: '/api/admin/blocks',
  permission: 'admin.instances.read',
  operationId: 'listBlockKinds',
  summary: 'The active kinds of blocks, in the order of `blocks.yaml`. `air` always exists and is not listed.',
  responses: { 200: Type.Index(BlocksConfig, ['blocks']) },
  problems: [],
  handle: ({ configs }) => ok(configs.get('blocks.yaml').blocks),
})

const Coordinate = Type.Optional(Type.Integer({ minimum: chunkMin, maximum: chunkMax }))

const ColumnQuery = ClosedObject({ cx: Coordinate, cz: Coordinate }, { dependentRequired: { cx: ['cz'], cz: ['cx'] } })

export const Line = ClosedObject(
  { x: Type.Integer(), y: Type.Integer(), z: Type.Integer(), type: Type.String() },
  {
    description:
      'One block per line, without air, ordered by `y`, then column (`cx`, `cz`), then `x`, then `z`, so a capped answer has the lowest layers. Streamed, as gzip if the client accepts it.',
  },
)

/** The column of a query; undefined for all. The schema guarantees that both coordinates are present, or none. */
const columnOf = ({ cx, cz }: Static<typeof ColumnQuery>): ChunkPos | undefined =>
  cx === undefined || cz === undefined ? undefined : { cx, cz }

/** Lists the blocks of a zone as players see them, in any world, enabled or not. */
export const listZoneBlocks = route({
  method: 'get',
  path: '/api/admin/instances/:id/blocks',
  permission: 'admin.instances.read',
  operationId: 'listZoneBlocks',
  summary: 'The blocks of a zone, or of one of its columns. A column outside the zone has none.',
  params: ZoneParams,
  query: ColumnQuery,
  responses: { 200: Line },
  mediaType: 'application/x-ndjson',
  responseHeaders: {
    'X-Total-Blocks': Type.Integer({ minimum: 0, description: 'All matching blocks, including those above the limit.' }),
    'X-Block-Limit': Type.Integer({ const: listedBlocksMax, description: 'The most lines in one answer.' }),
  },
  problems: ['not-found', 'answer-too-large', 'world-unusable'],
  handle: async ({ zones, worlds, chunks, listings, turns, log }, { params, query, actor, request }) => {
    // Before any read: refused requests may come by the hundred.
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
