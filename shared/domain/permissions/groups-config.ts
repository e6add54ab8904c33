import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { findNearName } from '../../kernel/find-near-name.ts'

const listedMax = 10
const beginning = 'Unknown group '

/** Whether a message is one of `describeUnknownGroup`. */
export const saysUnknownGroup = (message: string): boolean => message.startsWith(beginning)

/** A message that the group is unknown, with a similar name from `known` or a list of them. */
export const describeUnknownGroup = (name: string, known: readonly string[]): string => {
  const nearest = findNearName(name, known)
  if (nearest !== undefined) return `${beginning}\`${name}\`. Did you mean \`${nearest}\`?`
  const listed = known.slice(0, listedMax).join(', ')
  return `${beginning}\`${name}\`. Known groups: ${listed}${known.length > listedMax ? ', …' : ''}.`
}

const GroupName = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Name of a group: lower-case letters, digits, _ and -, at most 64.',
})

const PermissionRule = Type.String({
  pattern: '^-?(\\*|[a-z0-9][a-z0-9_-]*(\\.[a-z0-9][a-z0-9_-]*)*(\\.\\*)?)$',
  description:
    'A lower-case, dotted permission. `*` alone or as the last part matches everything below. A leading `-` takes the permission away and wins over rules that grant it.',
})

const Group = ClosedObject({
  name: GroupName,
  permissions: Type.Array(PermissionRule, {
    description: 'The permissions of members.',
  }),
  inherits: Type.Optional(
    Type.Array(GroupName, {
      default: [],
      description: 'Groups whose rules members inherit.',
    }),
  ),
  description: Type.Optional(Type.String({ default: '', description: 'A note for readers of the file.' })),
})

/** `groups.yaml`. The group `admin`, which holds `*`, always exists and cannot be redefined. */
export const GroupsConfig = ClosedObject({
  groups: Type.Array(Group, {
    default: [],
    maxItems: 1000,
    description: 'Every group besides `admin`.',
  }),
  defaultGroups: Type.Array(GroupName, {
    default: ['player'],
    description: 'Groups of an account that is created without any.',
  }),
})
export type GroupsConfig = Static<typeof GroupsConfig>

/** One group of `groups.yaml`. */
export type GroupDefinition = GroupsConfig['groups'][number]

/** The built-in group, which needs no file: it allows everything, and a file cannot redefine it. */
export const builtInAdmin = {
  name: 'admin',
  permissions: ['*'],
  description: 'Built in: may do everything.',
} as const satisfies { name: string; permissions: readonly string[]; description: string }
