import type { Request, RequestHandler, Response } from 'express'
import { clientAddressOf } from '../../shared/domain/auth/client-address.ts'
import { findLocation, findOnlinePlayer } from '../../shared/domain/explain/question.ts'
import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import { compileRules } from '../../shared/domain/permissions/compile-rules.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { rightsOf } from '../../shared/domain/permissions/token-scope.ts'
import { listOnlinePlayers } from '../../shared/domain/players/online-players.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { healthPaths } from '../../shared/kernel/health-paths.ts'
import type { HttpDeps } from '../deps.ts'
import type { Respond } from './answer/respond.ts'
import { clientGoneSignal } from './answer/send-stream.ts'
import { bodyBytesDefault } from './body-sizes.ts'
import { authenticate, authorise, type Caller, refuseUnverified } from './request/authenticate.ts'
import { parseIfMatch } from './request/entity-tags.ts'
import type { RequestLimits } from './request/limit-requests.ts'
import { parseCookies } from './request/parse-cookies.ts'
import { createInputParser, type ParsedInput } from './request/parse-input.ts'
import { readUpload } from './request/read-upload.ts'
import { contextOf } from './request/request-context.ts'
import type { RequestFacts, Route, RouteInput, RoutePermission } from './route.ts'

export type MountDeps = { readonly deps: HttpDeps; readonly respond: Respond; readonly limits: RequestLimits }

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The world or zone in the address of a request. */
const placeOfPath = ({ path, isAboutQueriedWorld }: Route, { params, url }: Request): PermissionScope => {
  const queried = isAboutQueriedWorld ? (new URLSearchParams(url.split('?', 2)[1]).get('world') ?? undefined) : undefined
  const [world, id] = [textOf(params.world) ?? queried, textOf(params.id)]
  return {
    ...(world !== undefined && { world }),
    ...(id !== undefined && path.startsWith('/api/admin/instances/:id') && { zone: id }),
  }
}

/** Throws `forbidden` unless the caller has the permission everywhere or at that place. */
const refuseOutside = (
  { permissions }: HttpDeps,
  { actor, account, grant }: Caller,
  permission: Exclude<RoutePermission, 'none'>,
  place: PermissionScope,
): void => authorise({ ...actor, rules: permissions.rulesOfSignIn(account, rightsOf(grant), place) }, permission)

const isPlaceInBody = ({ body }: Route): boolean => body?.properties?.world !== undefined

const placeOfBody = ({ isAboutZoneInBody }: Route, body: unknown): PermissionScope => {
  if (typeof body !== 'object' || body === null) return {}
  const world = 'world' in body ? textOf(body.world) : undefined
  const zone = isAboutZoneInBody && 'zone' in body ? textOf(body.zone) : undefined
  return { ...(world !== undefined && { world }), ...(zone !== undefined && { zone }) }
}

const mayAtSomePlace = (
  { permissions }: HttpDeps,
  { actor: { verified }, account, grant }: Caller,
  permission: Exclude<RoutePermission, 'none'>,
  { isAboutZoneInBody }: Route,
): boolean =>
  account.grants?.some(({ world, zone }) => {
    const place = zone !== undefined && isAboutZoneInBody ? { zone } : world !== undefined ? { world } : undefined
    if (place === undefined) return false
    const rules = permissions.rulesOfSignIn(account, rightsOf(grant), place)
    return decidePermission(rules, permission, { verified, privileged: true }).allowed
  }) === true

/** The place of the player in the path. Only read for callers with a grant for a place, since no one else needs it. */
const placeOfPlayer = async (deps: HttpDeps, { account }: Caller, playerId: string | undefined): Promise<PermissionScope> => {
  const isPlaced = account.grants?.some(({ world, zone }) => world !== undefined || zone !== undefined)
  if (isPlaced !== true || playerId === undefined) return {}
  const player = await findOnlinePlayer(() => listOnlinePlayers(deps.nodeReports), playerId)
  if (player === undefined) return {}
  const { world, position } = player
  const block = { x: Math.floor(position.x), y: Math.floor(position.y), z: Math.floor(position.z) }
  const { zone } = await findLocation(deps, world, block)
  return { world, ...(zone && { zone: zone.id }) }
}

/** The caller, after all checks that need only the headers of the request. */
const admit = async ({ deps, limits }: MountDeps, route: Route, req: Request, requestId: string): Promise<Caller | undefined> => {
  const { permission, countedAs } = route
  if (permission === 'none' && !healthPaths.has(route.path)) await limits.ofAddress(clientAddressOf(deps, req))
  if (countedAs !== undefined) await deps.signIn.countAttempt(countedAs, clientAddressOf(deps, req))
  if (permission === 'none') return undefined
  const caller = await authenticate(deps, req.headers.authorization, requestId).catch(async (error: unknown) => {
    // A credential that is not valid counts as none.
    if (error instanceof AppError && error.kind !== 'unavailable') await limits.ofAddress(clientAddressOf(deps, req))
    throw error
  })
  await limits.ofSignIn(caller.grant.signInId)
  if (route.notByToken && caller.grant.scope !== undefined)
    throw new AppError('forbidden', 'not-by-token', 'An API token cannot be used here. Sign in with your password.')
  // The handler decides the rest: the owner of a zone may do things for which others need the permission.
  if (route.privilege !== undefined) refuseUnverified(caller.actor, route.privilege)
  // A body is only read for a caller with the permission at some place. The place in the body is checked afterwards.
  const place = route.isAboutPlayer ? await placeOfPlayer(deps, caller, textOf(req.params.playerId)) : placeOfPath(route, req)
  if (!isPlaceInBody(route) || !mayAtSomePlace(deps, caller, permission, route)) refuseOutside(deps, caller, permission, place)
  return caller
}

const noRules = compileRules(new Map(), [])

const createFacts = (
  deps: HttpDeps,
  route: Route,
  [req, res]: readonly [Request, Response],
  caller: Caller | undefined,
): RequestFacts => ({
  requestId: contextOf(res).requestId,
  address: clientAddressOf(deps, req),
  ifMatch: req.method === 'GET' || req.method === 'HEAD' ? undefined : parseIfMatch(req.headers['if-match']),
  token: caller?.token,
  grant: caller?.grant,
  groups: () => (caller === undefined ? [] : deps.permissions.groupsOfSignIn(caller.account, caller.actor.verified)),
  rulesAt: (place) =>
    caller === undefined ? noRules : deps.permissions.rulesOfSignIn(caller.account, rightsOf(caller.grant), place),
  cookies: () => parseCookies(req.headers.cookie),
  upload: () => readUpload(req, route.bodyBytesMax ?? bodyBytesDefault),
  clientGone: () => clientGoneSignal(res),
})

/** `route.handle` takes the types of its own schemas. A list of routes cannot express that; the parser has checked it. */
const callHandler = (
  route: Route,
  deps: HttpDeps,
  input: ParsedInput & Pick<RouteInput<RoutePermission, undefined, undefined, undefined>, 'actor' | 'request'>,
) => route.handle(deps, input as never)

/** A route as express runs it: limit, authenticate, authorise, parse, handle, write. */
export const mount = (route: Route, mountDeps: MountDeps): RequestHandler => {
  const { deps, respond } = mountDeps
  const parseInput = createInputParser(route, deps.turns)
  const answer = async (req: Request, res: Response) => {
    const { requestId } = contextOf(res)
    const caller = await admit(mountDeps, route, req, requestId)
    const request = createFacts(deps, route, [req, res], caller)
    const input = await parseInput(req, res)
    if (caller !== undefined && route.permission !== 'none' && isPlaceInBody(route))
      refuseOutside(deps, caller, route.permission, placeOfBody(route, input.body))
    return callHandler(route, deps, { ...input, actor: caller?.actor, request })
  }
  return async (req, res) => {
    const context = contextOf(res)
    context.routePath = route.path
    context.isForPeople = route.isForPeople === true
    try {
      const reply = await answer(req, res)
      if ('pieces' in reply) await respond.stream(req, res, reply)
      else await respond.reply(req, res, reply)
    } catch (error) {
      respond.fail(req, res, error)
    }
  }
}
