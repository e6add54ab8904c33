import { zonePlayerIdOf } from '../../shared/domain/permissions/limited-sign-in.ts'
import { mayEnter } from '../../shared/domain/zones/active-zone.ts'
import type { Session } from '../sessions/session.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { GameZones } from '../zones/game-zones.ts'

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
