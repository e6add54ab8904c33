import type { Actor } from '../accounts/actor.ts'
import { decidePermission } from '../permissions/decide-permission.ts'

/** Where the whole answer is why `actor` may not; undefined for who may not read it. */
export const findExplainLink = (
  { email, rules, verified }: Pick<Actor, 'email' | 'rules' | 'verified'>,
  permission: string,
): string | undefined =>
  decidePermission(rules, 'admin.users.read', { verified, privileged: true }).allowed
    ? `/api/admin/explain?${new URLSearchParams({ email, permission })}`
    : undefined
