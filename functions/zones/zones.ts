import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { createMarker, MarkedZone, markZone } from '../../shared/domain/zones/list-zones.ts'
import { membersMax, Zone, ZoneRules, ZoneSchedule } from '../../shared/domain/zones/zone.ts'
import type { ListedZone, VersionedZone } from '../../shared/domain/zones/zone-service.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { letOthersWork } from '../../shared/kernel/turns.ts'
import { PlayerId } from '../accounts/users.ts'
import type { HttpDeps } from '../deps.ts'
import { columnsBodyBytesMax } from '../http/body-sizes.ts'
import { created, noContent, ok, type Reply, route, stream } from '../http/route.ts'
import { refuseUnknownPlayers } from './refuse-unknown-players.ts'

/** A zone by its id. */
export const ZoneParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** The parts of a zone that a body can have. */
const ZoneParts = {
  name: Type.String({ description: 'Trimmed: 1 to 64 visible characters.' }),
  yMin: { ...Zone.properties.yMin, description: 'The lowest height, included; below `yMax`.' },
  yMax: { ...Zone.properties.yMax, description: 'The highest height, included.', examples: [255] },
  chunks: { ...Zone.properties.chunks, description: 'The columns, each once. All of them must be generated.' },
}

const closed = { additionalProperties: false }

const NewZoneBody = Type.Object({ ...ZoneParts, world: Type.Optional(Zone.properties.world) }, closed)
export const NameBody = Type.Object({ name: ZoneParts.name }, closed)
const NameOwnerBody = Type.Object(
  {
    name: Type.Optional(ZoneParts.name),
    owner: Type.Optional({ ...PlayerId, description: 'The playerId of the account that owns the zone.' }),
  },
  { ...closed, minProperties: 1 },
)
const BoundsBody = Type.Object({ yMin: ZoneParts.yMin, yMax: ZoneParts.yMax }, closed)
const ChunksBody = Type.Object({ chunks: ZoneParts.chunks }, closed)
const EnabledBody = Type.Pick(Zone, ['enabled'], closed)
const LayoutBody = Type.Pick(Zone, ['clipPlanes', 'shortcutBarPages'], closed)
export const RulesBody = Type.Partial(ZoneRules, closed)
export const MembersBody = Type.Array(PlayerId, { maxItems: membersMax, description: 'PlayerIds of accounts.' })
export const ScheduleBody = ZoneSchedule
const ZonesQuery = Type.Object({ world: Type.Optional(Zone.properties.world) }, closed)

/** A zone as clients read it: with a warning if its blocks cannot be read. */
export const ZoneView = ClosedObject({
  ...MarkedZone.properties,
  warning: Type.Optional(
    Type.String({ description: 'Why its blocks cannot be read: its world is deleted or damaged, or does not have its columns.' }),
  ),
})

type Marked = { readonly zone: MarkedZone; readonly warning?: string }

/** The zone, with its warning if there is one. */
const viewZone = ({ zone, warning }: Marked) => (warning === undefined ? zone : { ...zone, warning })

const separator = '~'

/** A strong entity tag without quotes: the version, and everything in the answer besides the record. */
const tagOf = (version: string, { zone, warning = '' }: Marked): string => {
  const marks = zone.ownerGone === true ? `ownerGone ${warning}` : warning
  return marks === '' ? version : version + separator + createHash('sha256').update(marks).digest('base64url').slice(0, 16)
}

/** The version in an `If-Match`. Warnings do not count, because no write changes them. */
export const versionOfTag = (tag: string | undefined): string | undefined => tag?.split(separator, 1)[0]

/** A 200 with the zone and its entity tag. */
export const okZone = async (
  { accountStore }: Pick<HttpDeps, 'accountStore'>,
  { zone, version, warning }: VersionedZone & ListedZone,
): Promise<Reply> => {
  const marked = { zone: await markZone(accountStore, zone), ...(warning !== undefined && { warning }) }
  return ok(viewZone(marked), tagOf(version, marked))
}

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

export const getZone = route({
  method: 'get',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.read',
  operationId: 'getZone',
  hasEtag: true,
  summary: 'One zone, with its entity tag.',
  params: ZoneParams,
  responses: { 200: ZoneView },
  problems: ['not-found'],
  handle: async (deps, { params }) => okZone(deps, await deps.zones.describeZone(params.id)),
})

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

/** Deletes a zone and keeps its blocks. */
export const deleteZone = route({
  method: 'delete',
  path: '/api/admin/instances/:id',
  permission: 'admin.instances.write',
  operationId: 'deleteZone',
  summary: 'Delete a zone. Its blocks stay and are no longer protected.',
  params: ZoneParams,
  responses: { 204: 'The zone is deleted.' },
  problems: ['not-found', 'stale'],
  handle: async ({ zones }, { params, actor, request }) => {
    await zones.removeZone(actor, params.id, versionOfTag(request.ifMatch))
    return noContent
  },
})

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

/** Changes the floor and the top of a zone. */
export const setZoneBounds = route({
  method: 'put',
  path: '/api/admin/instances/:id/bounds',
  permission: 'admin.instances.write',
  operationId: 'setZoneBounds',
  hasEtag: true,
  summary: 'Change the floor and the top of a zone.',
  params: ZoneParams,
  body: BoundsBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken', 'zone-overlap'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})

/** Replaces all columns of a zone. */
export const setZoneChunks = route({
  method: 'put',
  path: '/api/admin/instances/:id/chunks',
  permission: 'admin.instances.write',
  operationId: 'setZoneChunks',
  hasEtag: true,
  summary: 'Replace the columns of a zone.',
  params: ZoneParams,
  body: ChunksBody,
  bodyBytesMax: columnsBodyBytesMax,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'chunks-not-generated', 'zone-overlap', 'world-unusable'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})

/** Enables or disables a zone for players. Its blocks do not change. */
export const setZoneEnabled = route({
  method: 'put',
  path: '/api/admin/instances/:id/enabled',
  permission: 'admin.instances.write',
  operationId: 'setZoneEnabled',
  hasEtag: true,
  summary: 'Enable or disable a zone for players.',
  params: ZoneParams,
  body: EnabledBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})

/** Stores how the editor shows a zone. The game does not change. */
export const setZoneLayout = route({
  method: 'put',
  path: '/api/admin/instances/:id/layout',
  permission: 'admin.instances.write',
  operationId: 'setZoneLayout',
  hasEtag: true,
  summary: 'Store the clip planes and palettes of the editor. The game does not change.',
  params: ZoneParams,
  body: LayoutBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken'],
  handle: async (deps, { params, body, actor, request }) =>
    okZone(deps, await deps.zones.changeZone(actor, params.id, body, versionOfTag(request.ifMatch))),
})
