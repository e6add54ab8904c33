import { isBeyondOwn, type Transition } from '../../accounts/account-rules.ts'
import type { AccountStore } from '../../accounts/store/account-store.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { Permissions } from '../../permissions/permissions.ts'
import type { SanctionsInForce } from '../../sanctions/in-force/sanctions-in-force.ts'

export type IssuerDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly permissions: Permissions
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findBan'>
}

/** Whether who made a code, by their email, could make that change by now, and holds one of `permissions`: a code must not outlive the rights of its maker. */
export const isIssuerStillAllowed = async (
  deps: IssuerDeps,
  by: string,
  transition: Transition,
  permissions: readonly string[],
): Promise<boolean> => {
  // No email: nobody else is called so.
  if (by === 'operator') return !isBeyondOwn(deps.permissions, operatorRules, transition)
  const maker = await deps.accountStore.findByEmail(by)
  if (maker === undefined || deps.sanctionsInForce.findBan(by) !== undefined) return false
  const rules = deps.permissions.rulesOf(maker)
  const isHeld = (permission: string) => decidePermission(rules, permission, { verified: true, privileged: true }).allowed
  return permissions.some(isHeld) && !isBeyondOwn(deps.permissions, rules, transition)
}
