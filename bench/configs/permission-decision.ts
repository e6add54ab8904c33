import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { GroupsConfig } from '../../shared/domain/permissions/groups-config.ts'
import { createPermissions } from '../../shared/domain/permissions/permissions.ts'
import { type Bench, median, round } from '../result.ts'

const groupCount = 50
const rulesPerGroup = 10
const asked = 1_000
const decisionsPerRound = 500_000
const rounds = 9
const targetNs = 1_000
const grantedTargetNs = 1_500

/** Of every ten rules two are wildcards and one is a denial; each group inherits the one before it, so the last has all 500. */
const config: GroupsConfig = {
  groups: Array.from({ length: groupCount }, (_, group) => ({
    name: `group-${group}`,
    permissions: Array.from({ length: rulesPerGroup }, (_, rule) => {
      const name = `part-${group}.kind-${rule}.action`
      if (rule === 0) return `-${name}`
      return rule < 3 ? `part-${group}.kind-${rule}.*` : name
    }),
    ...(group === 0 ? {} : { inherits: [`group-${group - 1}`] }),
  })),
  defaultGroups: ['group-0'],
}

/** In turn: names granted directly, granted by wildcard, denied, and unknown. */
const names = Array.from(
  { length: asked },
  (_, n) => `part-${(n * 7) % groupCount}.kind-${n % 12}.${n % 5 === 0 ? 'other' : 'action'}`,
)

const groups = [`group-${groupCount - 1}`, 'group-0', 'group-7']
const caller = { verified: true, privileged: false }

const zone = '00000000-0000-4000-8000-000000000001'

/** The same groups, and 20 grants of permissions and groups, some for a world, a zone or a time. */
const holder = {
  groups,
  grants: Array.from({ length: 20 }, (_, n) => ({
    id: `g${n}`,
    ...(n % 2 === 0 ? { permission: `part-${n}.kind-11.action` } : { group: `group-${n}` }),
    ...(n % 5 === 1 && { world: 'default' }),
    ...(n % 5 === 2 && { zone }),
    ...(n % 5 === 3 && { until: new Date(Date.now() + 3_600_000).toISOString() }),
    by: 'admin@example.com',
    at: new Date(0).toISOString(),
  })),
}

const nsPerCall = (call: (name: string) => boolean): number => {
  let allowed = 0
  const startedAt = performance.now()
  for (let n = 0; n < decisionsPerRound; n += 1) allowed += Number(call(names[n % asked] ?? ''))
  const ns = ((performance.now() - startedAt) * 1e6) / decisionsPerRound
  if (allowed === 0 || allowed === decisionsPerRound) throw new Error('the decisions are not mixed')
  return ns
}

/**
 * Benchmarks a decision for an account of 500 rules, with the look-up of its rules on each request. The reference is one look-up
 * in a Set of names. It cannot show grants with an end, which depend on the clock.
 */
export const permissionDecision: Bench = {
  name: 'permission-decision',
  run: async () => {
    const permissions = createPermissions(config)
    const exact = new Set(config.groups.flatMap((group) => group.permissions))
    const decide = (name: string) => decidePermission(permissions.rulesFor(groups), name, caller).allowed
    const decideGranted = (name: string) =>
      decidePermission(permissions.rulesOf(holder, { world: 'default', zone }), name, caller).allowed
    const [ours, granted, theirs]: [number[], number[], number[]] = [[], [], []]
    for (let turn = 0; turn < rounds; turn += 1) {
      ours.push(nsPerCall(decide))
      granted.push(nsPerCall(decideGranted))
      theirs.push(nsPerCall((name) => exact.has(name)))
    }
    const reference = { name: 'one look-up in a Set of the names', value: round(median(theirs), 1) }
    const show = (what: string, times: readonly number[], target: number) => ({
      bench: 'permission-decision',
      figure: `decision with ${groupCount} groups and ${groupCount * rulesPerGroup} rules${what}`,
      value: round(median(times), 1),
      unit: 'ns',
      reference,
      ratio: round(median(times) / reference.value, 1),
      target: `under ${target}`,
      met: median(times) < target,
    })
    return [show('', ours, targetNs), show(', and 20 grants at a place', granted, grantedTargetNs)]
  },
}
