import { isBeyondOwn, type Transition } from '../../accounts/account-rules.ts'
import type { AccountStore } from '../../accounts/store/account-store.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { Permissions } from '../../permissions/permissions.ts'
import type { SanctionsInForce } from '../../sanctions/in-force/sanctions-in-force.ts'

export type MakerDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly permissions: Permissions
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findBan'>
}

/** Whether who made a code, by their email, could make that change by now, and holds `permission`: a code must not outlive the rights of its maker. */
export const mayMaker = async (
  { accountStore, permissions, sanctionsInForce }: MakerDeps,
  by: string,
  transition: Transition,
  permission?: string,
): Promise<boolean> => {
  // No email: nobody else is called so.
  if (by === 'operator') return !isBeyondOwn(permissions, operatorRules, transition)
  const maker = await accountStore.findByEmail(by)
  if (maker === undefined || sanctionsInForce.findBan(by) !== undefined) return false
  const rules = permissions.rulesOf(maker)
  const holds = permission === undefined || decidePermission(rules, permission, { verified: true, privileged: true }).allowed
  return holds && !isBeyondOwn(permissions, rules, transition)
}
