import type { GroupsConfig } from '../../permissions/groups-config.ts'

type Group = GroupsConfig['groups'][number]

/** What one group comes to with all that it inherits: its rules and the names in its lists of groups, each group once. Ends early past `limit`. */
const countOne = (group: Group, byName: ReadonlyMap<string, Group>, limit: number): number => {
  const seen = new Set([group])
  let count = 0
  for (const one of seen) {
    const { permissions, inherits = [] } = one
    count += permissions.length + inherits.length
    if (count > limit) return count
    for (const name of inherits) {
      const next = byName.get(name)
      if (next !== undefined) seen.add(next)
    }
  }
  return count
}

/**
 * Rules and inherited groups of all groups together, each with what it inherits: what it takes to compile and to list them. Stops counting
 * soon after `limit`; groups that inherit in a circle are counted once.
 */
export const countInherited = ({ groups }: GroupsConfig, limit: number): number => {
  const byName = new Map(groups.map((group) => [group.name, group]))
  let count = 0
  for (const group of groups) {
    count += countOne(group, byName, limit - count)
    if (count > limit) return count
  }
  return count
}
