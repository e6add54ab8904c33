import { type AccountGrant, countsAt, endMsOf, isGrantInForce, type PermissionScope } from './account-grant.ts'
import type { RuleSet } from './rules.ts'

/** Rules that are valid from `fromMs` until just before `untilMs`. */
type Slot = { readonly rules: RuleSet; readonly fromMs: number; readonly untilMs: number }

/** The rules of one account, including its grants, at any time and place. */
export type GrantRules = (nowMs: number, place: PermissionScope | undefined) => RuleSet

/** Bounds the cached rules of a player who walks through many zones. */
const slotsMax = 64

type Compile = (grants: readonly AccountGrant[]) => RuleSet

/**
 * Compiles rules only when a grant starts or ends to count; otherwise a call costs a look-up. Works with a clock that is set back, too.
 */
export const createGrantRules = (grants: readonly AccountGrant[], compile: Compile): GrantRules => {
  if (grants.length === 0) {
    const rules = compile([])
    return () => rules
  }
  const ends = grants.map(endMsOf)
  const worlds = new Set(grants.flatMap(({ world }) => world ?? []))
  const zones = new Set(grants.flatMap(({ zone }) => zone ?? []))
  const slots = new Map<string, Slot>()

  const keyOf = ({ world = '', zone = '' }: PermissionScope): string => {
    const zoneKey = zones.has(zone) ? zone : ''
    return worlds.has(world) ? `${world}/${zoneKey}` : zoneKey
  }
  const fill = (nowMs: number, place: PermissionScope | undefined): Slot => ({
    rules: compile(grants.filter((grant) => isGrantInForce(grant, nowMs) && countsAt(grant, place))),
    fromMs: Math.max(Number.NEGATIVE_INFINITY, ...ends.filter((end) => end <= nowMs)),
    untilMs: Math.min(...ends.filter((end) => end > nowMs), Number.POSITIVE_INFINITY),
  })
  return (nowMs, place) => {
    const key = place === undefined ? '' : keyOf(place)
    const cached = slots.get(key)
    if (cached !== undefined && nowMs >= cached.fromMs && nowMs < cached.untilMs) return cached.rules
    if (slots.size >= slotsMax) slots.clear()
    const slot = fill(nowMs, place)
    slots.set(key, slot)
    return slot.rules
  }
}
