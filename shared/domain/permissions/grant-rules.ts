import { type AccountGrant, countsAt, endMsOf, isGrantInForce, type PermissionScope } from './account-grant.ts'
import type { RuleSet } from './rules.ts'

/** Rules that hold as long as the clock shows a time from `fromMs` to before `untilMs`. */
type Slot = { readonly rules: RuleSet; readonly fromMs: number; readonly untilMs: number }

/** The rules of one account, its grants included, at any time and place. */
export type GrantRules = (nowMs: number, place: PermissionScope | undefined) => RuleSet

/** Walking through many zones must not keep rules for each. */
const slotsMax = 64

type Compile = (grants: readonly AccountGrant[]) => RuleSet

/** Compiles rules anew only when a grant begins or ends to count; else asking costs a look-up. A clock that is set back finds them again. */
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
    const known = slots.get(key)
    if (known !== undefined && nowMs >= known.fromMs && nowMs < known.untilMs) return known.rules
    if (slots.size >= slotsMax) slots.clear()
    const slot = fill(nowMs, place)
    slots.set(key, slot)
    return slot.rules
  }
}
