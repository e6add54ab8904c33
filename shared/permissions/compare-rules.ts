import { listProbes } from './covers-rules.ts'
import { decidePermission } from './decide-permission.ts'
import { asPattern } from './find-foreign-change.ts'
import { knownPermissions } from './known-permissions.ts'
import type { RuleSet } from './rules.ts'

/** Permissions that come and go, sorted; a name with a star stands for all below it that has no name here. */
export type PermissionShift = { readonly gains: readonly string[]; readonly loses: readonly string[] }

const asVerified = { verified: true, privileged: false } as const

/**
 * What a holder of `after` may do that one of `before` may not, and the other way round: of all permissions that the server asks for,
 * and all that a rule names. Takes time proportional to their number.
 */
export const compareRules = (before: RuleSet, after: RuleSet): PermissionShift => {
  const gains: string[] = []
  const loses: string[] = []
  for (const permission of new Set([...knownPermissions, ...listProbes(before), ...listProbes(after)])) {
    const could = decidePermission(before, permission, asVerified).allowed
    const can = decidePermission(after, permission, asVerified).allowed
    if (could !== can) (can ? gains : loses).push(asPattern(permission))
  }
  return { gains: gains.sort(), loses: loses.sort() }
}
