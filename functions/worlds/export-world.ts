import { Type } from '@sinclair/typebox'
import { exportedElsewhere } from '../../shared/domain/world-moves/world-moves.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { layOutWorld } from '../../shared/domain/worlds/export/lay-out-world.ts'
import { openWorldExport } from '../../shared/domain/worlds/export/open-world-export.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { gzipPieces } from '../http/answer/gzip-pieces.ts'
import { withEnd } from '../http/answer/with-end.ts'
import { route, stream } from '../http/route.ts'

/** Streams a world as one file, the same as `npm run world -- export` writes. */
export const exportWorld = route({
  method: 'get',
  path: '/api/admin/worlds/:world/export',
  permission: 'admin.worlds.read',
  operationId: 'exportWorld',
  summary:
    'A world as one file for `npm run world -- import`, streamed while it is read. A damaged column cuts the file off, and an import refuses such a file.',
  params: ClosedObject({ world: WorldName }),
  responses: { 200: Type.String({ format: 'binary' }) },
  mediaType: 'application/gzip',
  responseHeaders: { 'Content-Disposition': Type.String({ description: '`attachment`, with a file name.' }) },
  problems: ['not-found', 'managed-elsewhere', 'world-unusable'],
  handle: async ({ worlds, worldMoves, chunks, configs, worldStates, listings, turns }, { params, actor, request }) => {
    const world = await worlds.getWorld(params.world)
    if (worldMoves === undefined) throw exportedElsewhere(world.name)
    const release = listings.take(request.grant?.signInId ?? actor.playerId)
    const signal = request.clientGone()
    signal.addEventListener('abort', release, { once: true })
    try {
      const createRegistry = () => registryOf(configs.get('blocks.yaml'))
      const { contents } = await openWorldExport(
        { chunks, createRegistry, listStates: worldStates.list, signal, pause: () => turns.next() },
        world,
      )
      const headers = { 'Content-Disposition': `attachment; filename="${world.name}.world"` }
      return stream('application/gzip', withEnd(gzipPieces(layOutWorld(contents)), release), headers)
    } catch (error) {
      release()
      throw error
    }
  },
})
