import type { LocalClocks } from './local-clocks.ts'
import type { Zone, ZoneRules } from './zone.ts'
import { isWithinHours, nextHoursChange } from './zone-hours.ts'

/** What holds for a zone without rules of its own. */
export const defaultRules: ZoneRules = { build: 'permission', enter: 'everyone' }

export const rulesOf = ({ rules }: Pick<Zone, 'rules'>): ZoneRules => rules ?? defaultRules

/** Whose zone it is, or who was made a member. */
export const isOfZone = ({ owner, members = [] }: Pick<Zone, 'owner' | 'members'>, playerId: string): boolean =>
  owner === playerId || members.includes(playerId)

type Hours = Pick<Zone, 'enabled' | 'opensAt' | 'closesAt' | 'expiresAt' | 'hours' | 'timeZone'>

/** Whether players meet it at that time: enabled, within its hours, and not expired. */
export const isZoneInForce = (zone: Hours, nowMs: number, clocks: LocalClocks): boolean => {
  const { enabled, opensAt, closesAt, expiresAt } = zone
  return (
    enabled &&
    (opensAt === undefined || nowMs >= Date.parse(opensAt)) &&
    (closesAt === undefined || nowMs < Date.parse(closesAt)) &&
    (expiresAt === undefined || nowMs < Date.parse(expiresAt)) &&
    isWithinHours(clocks, zone, nowMs)
  )
}

/** When that changes next by itself; undefined where it does not. */
export const nextZoneChange = (zone: Hours, nowMs: number, clocks: LocalClocks): number | undefined => {
  const { opensAt, closesAt, expiresAt } = zone
  const instants = [opensAt, closesAt, expiresAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))
  const coming = [...instants, nextHoursChange(clocks, zone, nowMs) ?? 0].filter((at) => at > nowMs)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

/** How somebody comes to build in a zone. */
export type ZoneBuilder = {
  readonly playerId: string
  /** Whether they hold `zone.build` at that place. */
  readonly holds: boolean
  /** Whether they hold it by a grant for that very zone. */
  readonly holdsByGrant: boolean
}

/** Whether the rules of a zone let somebody build in it, beside `world.build`. */
export const mayBuildIn = (
  zone: Pick<Zone, 'rules' | 'members' | 'owner'>,
  { playerId, holds, holdsByGrant }: ZoneBuilder,
): boolean => {
  const { build } = rulesOf(zone)
  if (build === 'permission') return holds
  if (build === 'members') return isOfZone(zone, playerId) || holdsByGrant
  return build === 'everyone'
}

/** Whether somebody may come into a zone. */
export const mayEnter = (zone: Pick<Zone, 'rules' | 'members' | 'owner'>, playerId: string): boolean =>
  rulesOf(zone).enter === 'everyone' || isOfZone(zone, playerId)
