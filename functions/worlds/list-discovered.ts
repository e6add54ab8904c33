import { type Static, Type } from '@sinclair/typebox'
import type { DiscoveredRow } from '../../shared/domain/worlds/store/chunk-store.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ZoneChunks } from '../../shared/domain/zones/zone.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { type ChunkBox, chunkMax, chunkMin } from '../../shared/rules/positions.ts'
import { route, stream } from '../http/route.ts'

/** Characters of a piece: large enough for few writes, small enough to need little memory. */
const pieceLength = 65_536

/**
 * Columns as the text of one JSON array `[{"cx":…,"cz":…}]`, in pieces. The first piece has one column, the others about 64
 * KiB.
 */
const discoveredPieces = async function* (rows: AsyncIterable<DiscoveredRow>): AsyncGenerator<string> {
  let piece = '['
  let lengthWanted = 0
  let separator = ''
  for await (const { cx, czs } of rows)
    for (const cz of czs) {
      piece += `${separator}{"cx":${cx},"cz":${cz}}`
      separator = ','
      if (piece.length < lengthWanted) continue
      yield piece
      piece = ''
      lengthWanted = pieceLength
    }
  yield `${piece}]`
}

const edges = ['minCx', 'maxCx', 'minCz', 'maxCz'] as const
const Edge = Type.Optional(Type.Integer({ minimum: chunkMin, maximum: chunkMax }))
const allWith = (edge: string) => edges.filter((other) => other !== edge)

const DiscoveredQuery = ClosedObject(
  { world: Type.Optional(WorldName), minCx: Edge, maxCx: Edge, minCz: Edge, maxCz: Edge },
  { dependentRequired: Object.fromEntries(edges.map((edge) => [edge, allWith(edge)])) },
)

/** The box of a query; undefined for the whole world. The schema guarantees that all edges are present, or none. */
const boxOf = ({ minCx, maxCx, minCz, maxCz }: Static<typeof DiscoveredQuery>): ChunkBox | undefined => {
  if (minCx === undefined || maxCx === undefined || minCz === undefined || maxCz === undefined) return undefined
  const errors = [
    ...(minCx > maxCx ? [{ pointer: '/minCx', message: `must not be above maxCx (${maxCx})` }] : []),
    ...(minCz > maxCz ? [{ pointer: '/minCz', message: `must not be above maxCz (${maxCz})` }] : []),
  ]
  if (errors.length > 0) throw new AppError('unprocessable', 'rule-broken', 'The box is empty.', { errors })
  return { minCx, maxCx, minCz, maxCz }
}

/** Lists the generated columns of a world and streams them, however many they are. */
export const listDiscovered = route({
  method: 'get',
  path: '/api/admin/chunks/discovered',
  permission: 'admin.worlds.read',
  operationId: 'listGeneratedColumns',
  isAboutQueriedWorld: true,
  summary: 'The generated columns of a world, the active one by default: all, or those of a box with its four edges included.',
  query: DiscoveredQuery,
  responses: { 200: Type.Array(ZoneChunks.items, { description: 'Sorted by `cx`, then `cz`; streamed while it is read.' }) },
  problems: ['not-found', 'rule-broken', 'answer-too-large', 'world-unusable'],
  handle: async ({ worlds, chunks }, { query }) => {
    const box = boxOf(query)
    const world = await worlds.getWorld(query.world)
    return stream('application/json; charset=utf-8', discoveredPieces(chunks.discovered(world, box)))
  },
})
