import { Type } from '@sinclair/typebox'
import { tileRange, zoomMax } from '../../shared/domain/worlds/map/tile-grid.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { noContent, type Reply, route } from '../http/route.ts'

const { min, max } = tileRange(0)

/** Draws a part of a world from above. */
export const getMapTile = route({
  method: 'get',
  path: '/api/admin/worlds/:world/map/:zoom/:tx/:tile',
  permission: 'admin.worlds.read',
  operationId: 'getMapTile',
  hasEtag: true,
  summary: 'A tile of the map as PNG. At zoom 0 a pixel is a block, and each further zoom halves the size.',
  params: Type.Object({
    world: WorldName,
    zoom: Type.Integer({ minimum: 0, maximum: zoomMax }),
    tx: Type.Integer({ minimum: min, maximum: max }),
    tile: Type.String({ pattern: '^-?\\d{1,6}\\.png$', description: '`{tz}.png`', examples: ['0.png'] }),
  }),
  query: ClosedObject({
    y: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'Draws nothing above this height.' })),
  }),
  responses: { 200: Type.String({ format: 'binary' }), 204: 'Nothing is generated here.' },
  mediaType: 'image/png',
  problems: ['not-found', 'world-unusable', 'service-unavailable'],
  handle: async (
    { worlds, tiles, tileTurns },
    { params: { world: name, zoom, tx, tile }, query, actor, request },
  ): Promise<Reply> => {
    const tz = Number.parseInt(tile, 10)
    const range = tileRange(zoom)
    if (Math.min(tx, tz) < range.min || Math.max(tx, tz) > range.max)
      throw new AppError('invalid', 'bad-request', `At zoom ${zoom}, tiles are ${range.min}…${range.max} in both directions.`)
    await tiles.follow()
    const wanted = { world: await worlds.getWorld(name), zoom, tx, tz, cut: query.y }
    const warm = tiles.findWarm(wanted)
    const found = warm ? warm.tile : await tileTurns.run(actor.playerId, () => tiles.get(wanted), request.clientGone())
    return found === undefined ? noContent : { status: 200, contentType: 'image/png', body: found.png, etag: found.etag }
  },
})
