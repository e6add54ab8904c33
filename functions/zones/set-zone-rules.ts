import type { Static } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { ownZonePermission } from '../../shared/domain/permissions/game-permissions.ts'
import type { Zone } from '../../shared/domain/zones/zone.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { authorise } from '../http/request/authenticate.ts'
import { type RequestFacts, route } from '../http/route.ts'
import { refuseMuted } from '../live/refuse-muted.ts'
import { refuseUnknownPlayers } from './refuse-unknown-players.ts'
import { MembersBody, okZone, RulesBody, ScheduleBody, versionOfTag, ZoneParams, ZoneView } from './zones.ts'

/** Undefined if there is none: a caller without access must not learn which ids exist. */
const findZone = async ({ zones }: Pick<HttpDeps, 'zones'>, id: string): Promise<Zone | undefined> => {
  try {
    return (await zones.getZone(id)).zone
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}

/** Throws `forbidden` unless the caller may change any zone, or owns this one and has `zone.own`. */
const authoriseOwn = async (deps: Pick<HttpDeps, 'zones'>, actor: Actor, request: RequestFacts, id: string): Promise<void> => {
  const { verified, playerId } = actor
  const zone = await findZone(deps, id)
  const inside = request.rulesAt({ zone: id, ...(zone && { world: zone.world }) })
  const isOwn = zone?.owner === playerId && decidePermission(inside, ownZonePermission, { verified, privileged: false }).allowed
  // As for every other route of a zone: a grant for the zone counts, because the route does not name its world.
  if (!isOwn) authorise({ ...actor, rules: request.rulesAt({ zone: id }) }, 'admin.instances.write')
}

/** A muted caller may keep texts that do not change. */
const refuseMutedTexts = async (
  deps: Pick<HttpDeps, 'zones' | 'activeSanctions' | 'clock'>,
  actor: Actor,
  id: string,
  { greeting, farewell }: Static<typeof RulesBody>,
): Promise<void> => {
  const { rules } = (await deps.zones.getZone(id)).zone
  const isSaid = (text: string | undefined, was: string | undefined) => text !== undefined && text !== was
  if (isSaid(greeting, rules?.greeting) || isSaid(farewell, rules?.farewell)) refuseMuted(deps, actor)
}

const forbidden = ['missing-permission', 'password-sign-in-needed'] as const

/** Sets the rules for building in a zone and entering it, and its texts. */
export const setZoneRules = route({
  method: 'put',
  path: '/api/admin/instances/:id/rules',
  permission: 'signed-in',
  operationId: 'setZoneRules',
  hasEtag: true,
  privilege: 'admin.instances.write',
  summary: 'Replace the rules for building in a zone and entering it. Needs admin.instances.write, or zone.own in your own zone.',
  params: ZoneParams,
  body: RulesBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'muted', ...forbidden],
  handle: async (deps, { params, body, actor, request }) => {
    await authoriseOwn(deps, actor, request, params.id)
    const rules = { build: 'permission', enter: 'everyone', ...body } as const
    if (body.greeting !== undefined || body.farewell !== undefined) await refuseMutedTexts(deps, actor, params.id, body)
    return okZone(deps, await deps.zones.changeZone(actor, params.id, { rules }, versionOfTag(request.ifMatch)))
  },
})

/** The new members only: an existing member may stay even if the account was deleted. */
const newMembers = async ({ zones }: Pick<HttpDeps, 'zones'>, id: string, asked: readonly string[]): Promise<string[]> => {
  const { members = [] } = (await zones.getZone(id)).zone
  return asked.filter((playerId) => !members.includes(playerId.toLowerCase()))
}

/** Sets the members of a zone. */
export const setZoneMembers = route({
  method: 'put',
  path: '/api/admin/instances/:id/members',
  permission: 'signed-in',
  operationId: 'setZoneMembers',
  hasEtag: true,
  privilege: 'admin.instances.write',
  summary: 'Replace the members of a zone. Needs admin.instances.write, or zone.own in your own zone.',
  params: ZoneParams,
  body: MembersBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken', ...forbidden],
  handle: async (deps, { params, body, actor, request }) => {
    await authoriseOwn(deps, actor, request, params.id)
    await refuseUnknownPlayers(deps, await newMembers(deps, params.id, body), (at) => `/${body.indexOf(at)}`)
    return okZone(deps, await deps.zones.changeZone(actor, params.id, { members: body }, versionOfTag(request.ifMatch)))
  },
})

const refuseUnknownSnapshot = async (snapshots: HttpDeps['snapshots'], zone: string, id: string): Promise<void> => {
  try {
    await snapshots.get(zone, id)
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'not-found')) throw error
    const errors = [{ pointer: '/reset/snapshot', message: 'is not a snapshot of the zone' }]
    throw new AppError('unprocessable', 'rule-broken', 'A zone cannot have these settings.', { errors })
  }
}

/** Sets when a zone is active and when it is deleted. */
export const setZoneSchedule = route({
  method: 'put',
  path: '/api/admin/instances/:id/schedule',
  permission: 'admin.instances.write',
  operationId: 'setZoneSchedule',
  hasEtag: true,
  summary:
    'Replace the schedule of a zone: when it is active, when it is deleted, and how often its blocks are restored from a snapshot.',
  params: ZoneParams,
  body: ScheduleBody,
  responses: { 200: ZoneView },
  problems: ['not-found', 'stale', 'rule-broken'],
  handle: async (deps, { params, body, actor, request }) => {
    const { zone } = await deps.zones.getZone(params.id)
    if (body.reset !== undefined) await refuseUnknownSnapshot(deps.snapshots, zone.id, body.reset.snapshot)
    return okZone(deps, await deps.zones.changeZone(actor, params.id, { schedule: body }, versionOfTag(request.ifMatch)))
  },
})
