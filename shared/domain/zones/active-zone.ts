import type { LocalClocks } from './local-clocks.ts'
import type { Zone, ZoneRules } from './zone.ts'
import { isWithinHours, nextHoursChange } from './zone-hours.ts'

/** The rules of a zone that has none of its own. */
export const defaultRules: ZoneRules = { build: 'permission', enter: 'everyone' }

export const rulesOf = ({ rules }: Pick<Zone, 'rules'>): ZoneRules => rules ?? defaultRules

/** Whether the player is the owner or a member of the zone. */
export const isOfZone = ({ owner, members = [] }: Pick<Zone, 'owner' | 'members'>, playerId: string): boolean =>
  owner === playerId || members.includes(playerId)

type Hours = Pick<Zone, 'enabled' | 'opensAt' | 'closesAt' | 'expiresAt' | 'hours' | 'timeZone'>

/** Whether the zone applies to players at that time: enabled, within its hours, and not expired. */
export const isZoneActive = (zone: Hours, nowMs: number, clocks: LocalClocks): boolean => {
  const { enabled, opensAt, closesAt, expiresAt } = zone
  return (
    enabled &&
    (opensAt === undefined || nowMs >= Date.parse(opensAt)) &&
    (closesAt === undefined || nowMs < Date.parse(closesAt)) &&
    (expiresAt === undefined || nowMs < Date.parse(expiresAt)) &&
    isWithinHours(clocks, zone, nowMs)
  )
}

/** The next time at which that changes by itself; undefined if it never does. */
export const nextZoneChange = (zone: Hours, nowMs: number, clocks: LocalClocks): number | undefined => {
  const { opensAt, closesAt, expiresAt } = zone
  const instants = [opensAt, closesAt, expiresAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))
  const coming = [...instants, nextHoursChange(clocks, zone, nowMs) ?? 0].filter((at) => at > nowMs)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

/** The player who builds in a zone, with their permission. */
export type ZoneBuilder = {
  readonly playerId: string
  /** Whether the player holds `zone.build` at that place. */
  readonly holds: boolean
  /** Whether the player holds it by a grant for exactly that zone. */
  readonly holdsByGrant: boolean
}

/** Whether the rules of a zone allow the player to build, apart from `world.build`. */
export const mayBuildIn = (
  zone: Pick<Zone, 'rules' | 'members' | 'owner'>,
  { playerId, holds, holdsByGrant }: ZoneBuilder,
): boolean => {
  const { build } = rulesOf(zone)
  if (build === 'permission') return holds
  if (build === 'members') return isOfZone(zone, playerId) || holdsByGrant
  return build === 'everyone'
}

/** Whether the player may enter a zone. */
export const mayEnter = (zone: Pick<Zone, 'rules' | 'members' | 'owner'>, playerId: string): boolean =>
  rulesOf(zone).enter === 'everyone' || isOfZone(zone, playerId)
