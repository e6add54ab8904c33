import { listProbes } from './covers-rules.ts'
import { decidePermission } from './decide-permission.ts'
import type { RuleSet } from './rules.ts'
import { isSameRules } from './rules.ts'

/**
 * Whether both rule sets allow the same. Without a verified sign-in nothing privileged counts.
 * The list of privileged commands is not available here, so all `command.` permissions count as privileged. Compare the lists of
 * commands as well.
 */
export const allowsSame = (one: RuleSet, other: RuleSet, verified: boolean): boolean => {
  if (isSameRules(one, other)) return true
  const isAllowed = (rules: RuleSet, permission: string) =>
    decidePermission(rules, permission, { verified, privileged: permission.startsWith('command.') }).allowed
  for (const rules of [one, other])
    for (const permission of listProbes(rules)) if (isAllowed(one, permission) !== isAllowed(other, permission)) return false
  return true
}
