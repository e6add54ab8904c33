import { type Static, Type } from '@sinclair/typebox'

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
      ],
      {
        description:
          'In the order in which the server makes them; those that do not apply are left out. `sanction` is first, but for a command that speaks, which is refused to the muted last.',
      },
    ),
    ok: Type.Boolean(),
    detail: Type.String({ description: 'For people.' }),
  },
  closed,
)
export type AccessCheck = Static<typeof AccessCheck>

const DecidingRule = Type.Object(
  {
    rule: Type.String({ description: 'As written: a leading - takes away.' }),
    group: Type.String({ description: 'Which holds the rule; empty where a grant gives the permission itself.' }),
    through: Type.Array(Type.String(), {
      description: 'The way to that group by inheritance, from a group of the account; empty for one of its own.',
    }),
    source: Type.Union([Type.Literal('groups.yaml'), Type.Literal('grant'), Type.Literal('built-in')]),
  },
  closed,
)
export type DecidingRule = Static<typeof DecidingRule>

/** Whether an account may do something, by every check that the server makes. */
export const Explanation = Type.Object(
  {
    allowed: Type.Boolean({ description: 'All checks are ok.' }),
    permission: Type.String({ description: '`none` for a command that needs none.' }),
    checks: Type.Array(AccessCheck),
    rule: Type.Optional(DecidingRule),
  },
  closed,
)
export type Explanation = Static<typeof Explanation>
