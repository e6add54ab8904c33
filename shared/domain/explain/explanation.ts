import { type Static, Type } from '@sinclair/typebox'
import type { BlockPos } from '../../rules/positions.ts'
import type { Actor } from '../accounts/actor.ts'
import type { PermissionScope } from '../permissions/account-grant.ts'
import { decidePermission } from '../permissions/decide-permission.ts'

const closed = { additionalProperties: false } as const

const AccessCheck = Type.Object(
  {
    check: Type.Union(
      [
        Type.Literal('sanction'),
        Type.Literal('switched-off'),
        Type.Literal('permission'),
        Type.Literal('verified'),
        Type.Literal('zone'),
        Type.Literal('module'),
      ],
      {
        description:
          'In the order in which the server makes them, without those that do not apply. `sanction` comes first, except for commands that send chat: a mute is checked last. `module` comes at the end, once for each module that decides about the action.',
      },
    ),
    ok: Type.Boolean(),
    detail: Type.String({ description: 'Text for people.' }),
  },
  closed,
)
export type AccessCheck = Static<typeof AccessCheck>

const DecidingRule = Type.Object(
  {
    rule: Type.String({ description: 'As written; a leading `-` denies the permission.' }),
    group: Type.String({ description: 'The group with the rule; empty if a grant gives the permission itself.' }),
    through: Type.Array(Type.String(), {
      description: 'The path of inheritance from a group of the account to that group; empty for a group of the account itself.',
    }),
    source: Type.Union([Type.Literal('groups.yaml'), Type.Literal('grant'), Type.Literal('built-in')]),
  },
  closed,
)
export type DecidingRule = Static<typeof DecidingRule>

/** Whether an account may do something, with every check that the server makes. */
export const Explanation = Type.Object(
  {
    allowed: Type.Boolean({ description: 'All checks are ok.' }),
    permission: Type.String({ description: '`none` for a command that needs none.' }),
    checks: Type.Array(AccessCheck),
    modulesNotAsked: Type.Optional(
      Type.Literal(true, {
        description:
          'The modules were not asked, because the player is not in the world or no node answered. A module may still refuse the action.',
      }),
    ),
    rule: Type.Optional(DecidingRule),
  },
  closed,
)
export type Explanation = Static<typeof Explanation>

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
