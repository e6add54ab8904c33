import type { BlockPos } from '../../rules/positions.ts'
import type { Actor } from '../accounts/actor.ts'
import type { PermissionScope } from '../permissions/account-grant.ts'
import { decidePermission } from '../permissions/decide-permission.ts'

type BlockPlace = BlockPos & Pick<PermissionScope, 'world'> & { readonly type?: string }

const describePlace = (place: BlockPlace | undefined): Readonly<Record<string, string>> => {
  if (place === undefined) return {}
  const { world, x, y, z, type } = place
  return { ...(world !== undefined && { world }), x: `${x}`, y: `${y}`, z: `${z}`, ...(type !== undefined && { type }) }
}

/**
 * The link to the full explanation of why `actor` may not do something, at a block or at their position. With `type`, modules are asked
 * about that edit. Undefined if the actor may not read it.
 */
export const findExplainLink = (
  { email, rules, verified }: Pick<Actor, 'email' | 'rules' | 'verified'>,
  permission: string,
  place?: BlockPlace,
): string | undefined =>
  decidePermission(rules, 'admin.users.read', { verified, privileged: true }).allowed
    ? `/api/admin/explain?${new URLSearchParams({ email, permission, ...describePlace(place) })}`
    : undefined
