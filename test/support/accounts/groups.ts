import { compileRules } from '../../../shared/domain/permissions/compile-rules.ts'
import type { GroupsConfig } from '../../../shared/domain/permissions/groups-config.ts'
import type { RuleSet } from '../../../shared/domain/permissions/rules.ts'

type Definition = GroupsConfig['groups'][number]

/** Definitions by name from `{name: [rules]}`, or `{name: {permissions, inherits}}`. */
export const defineGroups = (
  groups: Record<string, readonly string[] | { permissions?: readonly string[]; inherits?: readonly string[] }>,
): ReadonlyMap<string, Definition> =>
  new Map(
    Object.entries(groups).map(([name, group]) => {
      const { permissions = [], inherits = [] } = 'length' in group ? { permissions: group } : group
      return [name, { name, permissions: [...permissions], inherits: [...inherits] }]
    }),
  )

/** The rules of one group with only these permissions. */
export const rulesOf = (...permissions: string[]): RuleSet => compileRules(defineGroups({ it: permissions }), ['it'])
