import type { Fault } from '../../../kernel/errors.ts'
import { builtInAdmin, describeUnknownGroup, GroupsConfig } from '../../permissions/groups-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

const findNameFaults = ({ groups }: GroupsConfig): Fault[] => {
  const seen = new Set<string>()
  return groups.flatMap(({ name }, index): Fault[] => {
    const pointer = `/groups/${index}/name`
    if (name === builtInAdmin.name)
      return [{ pointer, message: `"${name}" is built in, has the permission * and cannot be redefined: use another name` }]
    if (seen.has(name))
      return [{ pointer, message: `"${name}" is already the name of an earlier group: merge them, or rename one` }]
    seen.add(name)
    return []
  })
}

const findUnknownFaults = ({ groups }: GroupsConfig): Fault[] => {
  const known = new Set([builtInAdmin.name, ...groups.map(({ name }) => name)])
  return groups.flatMap(({ inherits = [] }, index) =>
    inherits.flatMap((name, position) =>
      known.has(name)
        ? []
        : [
            {
              pointer: `/groups/${index}/inherits/${position}`,
              message: describeUnknownGroup(name, [...known]),
            },
          ],
    ),
  )
}

/** One fault for each inheritance loop, at the entry that closes it. */
const findCircleFaults = ({ groups }: GroupsConfig): Fault[] => {
  const indexes = new Map(groups.map(({ name }, index) => [name, index] as const).reverse())
  const faults: Fault[] = []
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    const index = indexes.get(name)
    if (index === undefined || done.has(name)) return
    const here = [...path, name]
    for (const [position, next] of (groups[index]?.inherits ?? []).entries()) {
      const start = here.indexOf(next)
      if (start === -1) visit(next, here)
      else
        faults.push({
          pointer: `/groups/${index}/inherits/${position}`,
          message: `closes an inheritance loop, ${[...here.slice(start), next].join(' → ')}: remove one of these`,
        })
    }
    done.add(name)
  }
  for (const { name } of groups) visit(name, [])
  return faults
}

/** Fifty groups of a thousand rules that all inherit each other stay far below. */
const inheritedMax = 200_000

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
const countInherited = ({ groups }: GroupsConfig, limit: number): number => {
  const byName = new Map(groups.map((group) => [group.name, group]))
  let count = 0
  for (const group of groups) {
    count += countOne(group, byName, limit - count)
    if (count > limit) return count
  }
  return count
}

const findSizeFaults = (config: GroupsConfig): Fault[] => {
  if (countInherited(config, inheritedMax) <= inheritedMax) return []
  const message = `have more than ${inheritedMax.toLocaleString('en')} rules including inherited ones: inherit less`
  return [{ pointer: '/groups', message }]
}

/** `groups.yaml`: applies on reload; the description of a group is a note. */
export const groupsConfigFile = defineConfigFile({
  schema: GroupsConfig,
  summary: 'Groups, the permissions of their members, and the groups of new accounts.',
  effect: 'reload',
  crossCheck: (config) => {
    const faults = [...findNameFaults(config), ...findUnknownFaults(config), ...findCircleFaults(config)]
    return faults.length > 0 ? faults : findSizeFaults(config)
  },
  isNote: (pointer) => /^\/groups\/\d+\/description$/.test(pointer),
})
