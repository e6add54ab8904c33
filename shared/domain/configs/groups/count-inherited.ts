import type { GroupsConfig } from '../../permissions/groups-config.ts'

type Group = GroupsConfig['groups'][number]

/** The number of rules and inherited names of one group with everything it inherits, each group once. Stops early above `limit`. */
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
 * The total number of rules and inherited names of all groups with everything they inherit: the cost of compiling and listing them. Stops
 * soon above `limit`. In an inheritance loop each group counts once.
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
