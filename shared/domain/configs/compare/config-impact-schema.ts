import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'

const object = <T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) =>
  ClosedObject(properties, { description })

const count = (description: string) => Type.Integer({ minimum: 0, description })
const orUnknown = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const names = (description: string) => Type.Array(Type.String(), { description })

const shift = {
  gains: names('Permissions that they gain, sorted. A name with a star stands for all names below it that are not listed.'),
  loses: names('Permissions that they lose.'),
  omitted: Type.Optional(count('Names left out of the two lists, which have at most 200 each.')),
}

const connectedDescription = 'null if the list of connected players is unavailable'

const GroupsImpact = object(
  {
    groups: Type.Array(object({ group: Type.String(), ...shift }, 'A group.'), {
      description: 'Groups that gain or lose permissions, in the order of the file; at most 200.',
    }),
    groupsOmitted: Type.Optional(count('Further groups that are not listed.')),
    newAccounts: object(shift, 'Permissions that new accounts gain and lose.'),
    accounts: orUnknown(
      object(
        {
          count: count('Accounts that gain or lose permissions by all their groups together.'),
          connected: orUnknown(count(`How many of them are connected now; ${connectedDescription}.`)),
          listed: Type.Array(object({ email: Type.String(), ...shift }, 'An account.'), {
            description: 'The first 50 of them by email; empty without the permission `admin.users.read`.',
          }),
        },
        'The affected accounts; null if the accounts cannot be read.',
      ),
    ),
    unknownGroups: Type.Array(
      object({ group: Type.String(), accounts: count('How many accounts are in it.') }, 'A group that would not exist.'),
      { description: 'Groups of accounts that would not exist, sorted; at most 100.' },
    ),
  },
  'For `groups.yaml`: the permissions that groups and accounts gain and lose.',
)
export type GroupsImpact = Static<typeof GroupsImpact>

const SettingImpact = object(
  {
    pointer: Type.String({ description: 'JSON Pointer of the setting.' }),
    touches: Type.Unsafe<'connected' | 'newcomers' | 'nobody'>({
      type: 'string',
      enum: ['connected', 'newcomers', 'nobody'],
      description: 'The affected players: connected ones, later ones, or none.',
    }),
    note: Type.String({ description: 'The consequence in one sentence.' }),
  },
  'A changed setting.',
)
export type SettingImpact = Static<typeof SettingImpact>

const BlocksImpact = object(
  {
    added: names('Blocks that can be placed after the change.'),
    changed: names('Blocks whose look or behaviour changes.'),
    removed: names('Removed blocks, which worlds show as a placeholder.'),
    moved: Type.Boolean({ description: 'Whether the order of the other blocks changes.' }),
  },
  'For `blocks.yaml`, by id.',
)
export type BlocksImpact = Static<typeof BlocksImpact>

export const GrantedAttack = object({ attack: Type.String(), rank: Type.Integer() }, 'An attack with its rank.')
export const GrantedSpell = object({ spell: Type.String() }, 'A spell.')
const Grants = Type.Array(Type.Union([GrantedAttack, GrantedSpell]))

const classParts = {
  classes: Type.Array(
    object({ class: Type.String(), level: Type.Integer(), gains: Grants, loses: Grants }, 'A level of a class.'),
    { description: 'For `classes.yaml`: the skills that classes gain or lose at each level; at most 500.' },
  ),
  classesOmitted: Type.Optional(count('Further levels that are not listed.')),
}
const ClassesImpact = Type.Object(classParts)
export type ClassesImpact = Static<typeof ClassesImpact>

const SkillImpact = object(
  {
    id: Type.String(),
    change: Type.Unsafe<'added' | 'changed' | 'removed'>({ type: 'string', enum: ['added', 'changed', 'removed'] }),
    classes: names('Classes that learn it, by the active configuration.'),
  },
  'An attack or a spell.',
)
export type SkillImpact = Static<typeof SkillImpact>

/** The effects of a config change on players and accounts; some parts exist only for one file. */
export const ConfigImpact = object(
  {
    connected: orUnknown(count(`Connected players that the change affects; ${connectedDescription}.`)),
    warnings: names('Likely mistakes, each in one sentence.'),
    changesOmitted: Type.Optional(count('Changes left out of `changes`, which has at most 500.')),
    groups: Type.Optional(GroupsImpact),
    settings: Type.Optional(Type.Array(SettingImpact, { description: 'For `server.yaml`: each changed setting.' })),
    blocks: Type.Optional(BlocksImpact),
    classes: Type.Optional(classParts.classes),
    classesOmitted: classParts.classesOmitted,
    skills: Type.Optional(
      Type.Array(SkillImpact, {
        description: 'For `skills/attacks.yaml` and `skills/spells.yaml`: added, changed and removed skills; at most 500.',
      }),
    ),
  },
  'The effects of the change.',
)
export type ConfigImpact = Static<typeof ConfigImpact>

/** One difference between the stored text of a config and another one. */
export const ConfigChange = ClosedObject({
  pointer: Type.String({
    description:
      'JSON Pointer into the new content, or into the old content for a removed value. For a list whose entries have a new order, `from` and `to` are their names.',
  }),
  from: Type.Unknown({ description: 'The previous value; null if there was none.' }),
  to: Type.Unknown({ description: 'The new value; null if it is removed.' }),
  effect: Type.Unsafe<'now' | 'reload' | 'restart'>({
    type: 'string',
    enum: ['now', 'reload', 'restart'],
    description: 'When the change applies: now (no process uses the value), after a reload, or after a restart.',
  }),
})
export type ConfigChange = Static<typeof ConfigChange>
