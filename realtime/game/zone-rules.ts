import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { zonePermission } from '../../shared/domain/permissions/game-permissions.ts'
import { isLimitedSignIn, zonePlayerIdOf } from '../../shared/domain/permissions/limited-sign-in.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import { mayBuildIn, mayEnter, rulesOf } from '../../shared/domain/zones/zone-index.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { Session } from '../sessions/session.ts'
import type { EditRefusal } from '../world/edits/world-edits.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { GameZones } from '../zones/game-zones.ts'

/** Scopes of grants of a world or a zone, with the active zones of now. */
export type SessionScopes = { scopeAt(at: BlockPos): PermissionScope; scopeOf(session: Pick<Session, 'body'>): PermissionScope }

export const createSessionScopes = (zones: Pick<GameZones, 'zoneAt'>, world: string): SessionScopes => {
  const scopeAt = ({ x, y, z }: BlockPos): PermissionScope => {
    const zone = zones.zoneAt(x, y, z)
    return { world, ...(zone !== undefined && { zone: zone.id }) }
  }
  return { scopeAt, scopeOf: ({ body: { x, y, z } }) => scopeAt({ x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) }) }
}

/** Returns whether a session has a permission for a block now. */
export const createHoldsPermission =
  (permissions: Pick<Permissions, 'rulesOfSignIn'>, scopeAt: SessionScopes['scopeAt']) =>
  (session: Session, permission: string, at: BlockPos): boolean => {
    const { account, verified } = session
    const rules = permissions.rulesOfSignIn(account, session, account.grants === undefined ? {} : scopeAt(at))
    return decidePermission(rules, permission, { verified, privileged: false }).allowed
  }

/** Returns whether a session has a permission for a block by a grant for its zone, even if it also has it otherwise. */
export const createHoldsByGrant =
  (permissions: Pick<Permissions, 'rulesOfSignIn' | 'rulesOfZoneGrants'>, scopeAt: SessionScopes['scopeAt']) =>
  (session: Session, permission: string, at: BlockPos): boolean => {
    const { account, verified } = session
    if (account.grants === undefined || isLimitedSignIn(account, verified)) return false
    const scope = scopeAt(at)
    const conditions = { verified, privileged: false }
    // Another rule must not deny it.
    return (
      scope.zone !== undefined &&
      decidePermission(permissions.rulesOfZoneGrants(account, scope), permission, conditions).allowed &&
      decidePermission(permissions.rulesOfSignIn(account, session, scope), permission, conditions).allowed
    )
  }

export type EditGuardDeps<Actor> = {
  readonly zones: Pick<GameZones, 'isKnown' | 'zoneAt'>
  /** Whether the actor has the permission for that block now. */
  readonly holds: (actor: Actor, permission: string, at: BlockPos) => boolean
  /** Whether the actor has it by a grant for the zone of that block. */
  readonly holdsByGrant?: (actor: Actor, permission: string, at: BlockPos) => boolean
  readonly playerIdOf?: (actor: Actor) => string
}

/**
 * Returns why zones refuse an edit. `zones-unknown` until the zones are read; otherwise the missing permission and the name of the
 * first zone that refuses.
 */
export const createEditGuard =
  <Actor>({ zones, holds, holdsByGrant = () => false, playerIdOf = () => '' }: EditGuardDeps<Actor>) =>
  (actor: Actor, edits: readonly BlockPos[]): EditRefusal | undefined => {
    if (!zones.isKnown()) return { reason: 'zones-unknown' }
    for (const [index, { x, y, z }] of edits.entries()) {
      const zone = zones.zoneAt(x, y, z)
      if (zone === undefined) continue
      const at = { x, y, z }
      const { build } = rulesOf(zone)
      const may = mayBuildIn(zone, {
        playerId: build === 'members' ? playerIdOf(actor) : '',
        holds: build === 'permission' && holds(actor, zonePermission, at),
        holdsByGrant: build === 'members' && holdsByGrant(actor, zonePermission, at),
      })
      if (may) continue
      const why =
        build === 'permission'
          ? `missing-permission: ${zonePermission}`
          : `zone-rules: ${build === 'members' ? 'members build' : 'nobody builds'}`
      return { reason: `${why} in zone "${zone.name}"`, denied: { permission: zonePermission, at }, index }
    }
    return undefined
  }

type Feet = { readonly x: number; readonly y: number; readonly z: number }

type Walker = Pick<Session, 'verified'> & {
  readonly account: Pick<Session['account'], 'playerId' | 'passwordHash' | 'subject'>
  readonly body: Feet
}

/** The zone that refuses a move because only its members may enter. Players inside it may move in it and leave it. */
export const findClosedZone = (
  zones: Pick<GameZones, 'zoneAt'>,
  { account, verified, body }: Walker,
  to: Feet,
): GameZone | undefined => {
  const zone = zones.zoneAt(to.x, to.y, to.z)
  if (zone?.rules?.enter !== 'members' || mayEnter(zone, zonePlayerIdOf(account, verified))) return undefined
  return zones.zoneAt(body.x, body.y, body.z)?.id === zone.id ? undefined : zone
}
