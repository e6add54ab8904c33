import type { AccountStore } from '../../accounts/store/account-store.ts'
import { isBeyondOwn, type Transition } from '../../accounts/who-may-grant.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { Permissions } from '../../permissions/permissions.ts'
import type { ActiveSanctions } from '../../sanctions/active/follow-sanctions.ts'

export type IssuerDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly permissions: Permissions
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan'>
}

/** Whether the creator of a code could still make that change and has one of `permissions`. A code must not outlive its creator's rights. */
export const isIssuerStillAllowed = async (
  deps: IssuerDeps,
  by: string,
  transition: Transition,
  permissions: readonly string[],
): Promise<boolean> => {
  // Not an email, so no account has this name.
  if (by === 'operator') return !isBeyondOwn(deps.permissions, operatorRules, transition)
  const maker = await deps.accountStore.findByEmail(by)
  if (maker === undefined || deps.activeSanctions.findBan(by) !== undefined) return false
  const rules = deps.permissions.rulesOf(maker)
  const isHeld = (permission: string) => decidePermission(rules, permission, { verified: true, privileged: true }).allowed
  return permissions.some(isHeld) && !isBeyondOwn(deps.permissions, rules, transition)
}
