import { type Static, Type } from '@sinclair/typebox'
import { changeWays } from '../../shared/domain/history/block-change.ts'
import { type ChangeFilter, listChanges } from '../../shared/domain/history/find-changes.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { PageQuery, PlayerId, pageLimitDefault } from '../accounts/users.ts'
import { ok, route } from '../http/route.ts'
import { authoriseLand } from './authorise-land.ts'
import { type BoxEdges, boxEdges, findBox, needsAllEdges } from './block-box.ts'
import { refuseEmptyTime } from './refuse-empty-time.ts'
import { findZoneBounds } from './zone-bounds.ts'

const Instant = Type.String({ format: 'date-time' })

const HistoryQuery = ClosedObject(
  {
    ...boxEdges,
    zone: Type.Optional(Type.String({ format: 'uuid', description: 'Only changes in this zone. Not with a box.' })),
    by: Type.Optional(PlayerId),
    module: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Only changes that this module made.' })),
    since: Type.Optional(Instant),
    until: Type.Optional(Instant),
    ...PageQuery,
  },
  { dependentRequired: needsAllEdges },
)

export const Change = ClosedObject({
  at: Instant,
  by: Type.Optional(Type.String({ description: 'A playerId. Absent for a change that a module made for no player.' })),
  via: Type.Union(changeWays.map((way) => Type.Literal(way))),
  module: Type.Optional(Type.String({ description: 'The module that made the change, with `via` `module`.' })),
  x: Type.Integer(),
  y: Type.Integer(),
  z: Type.Integer(),
  from: Type.String({ description: 'The id of a block type.' }),
  to: Type.String({ description: 'The id of a block type.' }),
  undoes: Type.Optional(Type.String({ description: 'The job that rolled this change back.' })),
})

const filterOf = ({ by, module, since, until }: Static<typeof HistoryQuery>): ChangeFilter => ({
  ...(by !== undefined && { by: by.toLowerCase() }),
  ...(module !== undefined && { module }),
  ...(since !== undefined && { since: Date.parse(since) }),
  ...(until !== undefined && { until: Date.parse(until) }),
})

const placeOfBox = (query: BoxEdges): Pick<ChangeFilter, 'box'> => {
  const box = findBox(query)
  return box === undefined ? {} : { box }
}

/** Lists block changes with their players. */
export const listHistory = route({
  method: 'get',
  path: '/api/admin/worlds/:world/history',
  permission: 'signed-in',
  operationId: 'listBlockHistory',
  privilege: 'admin.history.read',
  summary:
    'The block changes of a world with their players, newest first: in a box with its edges included, in a zone, or anywhere. A page may have fewer changes than its limit and still have a cursor. Needs admin.history.read, or zone.history in your own zone.',
  params: ClosedObject({ world: WorldName }),
  query: HistoryQuery,
  responses: {
    200: ClosedObject({ changes: Type.Array(Change), nextCursor: Type.Optional(Type.String()) }),
  },
  problems: ['not-found', 'rule-broken', 'world-unusable', 'missing-permission', 'password-sign-in-needed'],
  handle: async ({ worlds, zones, chunks }, { params, query, actor, request }) => {
    const { zone: zoneId, limit = pageLimitDefault, cursor } = query
    await authoriseLand(zones, actor, { request, permission: 'admin.history.read', world: params.world, zone: zoneId })
    const box = placeOfBox(query)
    refuseEmptyTime(query)
    if (zoneId !== undefined && box.box !== undefined)
      throw new AppError('invalid', 'bad-request', 'Give a box or a zone, not both.')
    const world = await worlds.getWorld(params.world)
    const filter = { ...filterOf(query), ...box, ...(await findZoneBounds(zones, world, zoneId)) }
    const { changes, ...more } = await listChanges(chunks, world, { filter, limit, cursor })
    const answers = changes.map(({ at, by, ...change }) => ({
      at: new Date(at).toISOString(),
      ...(by !== '' && { by }),
      ...change,
    }))
    return ok({ changes: answers, ...more })
  },
})
