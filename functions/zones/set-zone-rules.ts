import type { Static } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { ownZonePermission } from '../../shared/domain/permissions/game-permissions.ts'
import { MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import type { Zone } from '../../shared/domain/zones/zone.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { authorise } from '../http/request/authenticate.ts'
import { type RequestFacts, route } from '../http/route.ts'
import { refuseMuted } from '../live/refuse-muted.ts'
import { refuseUnknownPlayers } from './refuse-unknown-players.ts'
import { MembersBody, RulesBody, ScheduleBody, ZoneParams } from './zone-inputs.ts'
import { okZone, versionOfTag } from './zone-view.ts'

/** Undefined where there is none: who may not know learns nothing of ids. */
const findZone = async ({ zones }: Pick<HttpDeps, 'zones'>, id: string): Promise<Zone | undefined> => {
  try {
    return (await zones.getZone(id)).zone
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}

/** Passes for who may change any zone there, and for the owner of this one who holds `zone.own`; else throws `forbidden`. */
const authoriseOwn = async (deps: Pick<HttpDeps, 'zones'>, actor: Actor, request: RequestFacts, id: string): Promise<void> => {
  const { verified, playerId } = actor
  const zone = await findZone(deps, id)
  const inside = request.rulesAt({ zone: id, ...(zone && { world: zone.world }) })
  const isOwn = zone?.owner === playerId && decidePermission(inside, ownZonePermission, { verified, privileged: false }).allowed
  // As for every other route of a zone: by a grant for that zone, since its world is not named.
  if (!isOwn) authorise({ ...actor, rules: request.rulesAt({ zone: id }) }, 'admin.instances.write')
}

/** Texts that stand there already may stay. */
const refuseMutedTexts = async (
  deps: Pick<HttpDeps, 'zones' | 'sanctionsInForce' | 'clock'>,
  actor: Actor,
  id: string,
  { greeting, farewell }: Static<typeof RulesBody>,
): Promise<void> => {
  const { rules } = (await deps.zones.getZone(id)).zone
  const isSaid = (text: string | undefined, was: string | undefined) => text !== undefined && text !== was
  if (isSaid(greeting, rules?.greeting) || isSaid(farewell, rules?.farewell)) refuseMuted(deps, actor)
}

const forbidden = ['missing-permission', 'password-sign-in-needed'] as const

/** Says who builds in a zone, who comes in, and what they are told. */
export const setZoneRules = route({
  method: 'put',
  path: '/api/admin/instances/:id/rules',
  permission: 'signed-in',
  privilege: 'admin.instances.write',
  summary:
    'Say who may build in a zone and come in, in place of what was said. Needs admin.instances.write, or zone.own in a zone of one’s own.',
  params: ZoneParams,
  body: RulesBody,
  responses: { 200: MarkedZone },
  problems: ['not-found', 'stale', 'muted', ...forbidden],
  handle: async (deps, { params, body, actor, request }) => {
    await authoriseOwn(deps, actor, request, params.id)
    const rules = { build: 'permission', enter: 'everyone', ...body } as const
    if (body.greeting !== undefined || body.farewell !== undefined) await refuseMutedTexts(deps, actor, params.id, body)
    return okZone(deps, await deps.zones.changeZone(actor, params.id, { rules }, versionOfTag(request.ifMatch)))
  },
})

/** Those who are not members yet: a member whose account was deleted since may stay in the list. */
const newMembers = async ({ zones }: Pick<HttpDeps, 'zones'>, id: string, asked: readonly string[]): Promise<string[]> => {
  const { members = [] } = (await zones.getZone(id)).zone
  return asked.filter((playerId) => !members.includes(playerId.toLowerCase()))
}

/** Says who the members of a zone are. */
export const setZoneMembers = route({
  method: 'put',
  path: '/api/admin/instances/:id/members',
  permission: 'signed-in',
  privilege: 'admin.instances.write',
  summary:
    'Make these the members of a zone, in place of those it has. Needs admin.instances.write, or zone.own in a zone of one’s own.',
  params: ZoneParams,
  body: MembersBody,
  responses: { 200: MarkedZone },
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

/** Says when a zone is in force, and when it is gone. */
export const setZoneSchedule = route({
  method: 'put',
  path: '/api/admin/instances/:id/schedule',
  permission: 'admin.instances.write',
  summary:
    'Say from when to when a zone is in force, when it is deleted, and how often its blocks become those of a snapshot, in place of what was said.',
  params: ZoneParams,
  body: ScheduleBody,
  responses: { 200: MarkedZone },
  problems: ['not-found', 'stale', 'rule-broken'],
  handle: async (deps, { params, body, actor, request }) => {
    const { zone } = await deps.zones.getZone(params.id)
    if (body.reset !== undefined) await refuseUnknownSnapshot(deps.snapshots, zone.id, body.reset.snapshot)
    return okZone(deps, await deps.zones.changeZone(actor, params.id, { schedule: body }, versionOfTag(request.ifMatch)))
  },
})
