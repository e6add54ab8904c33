import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'

const object = <T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) =>
  ClosedObject(properties, { description })

const count = (description: string) => Type.Integer({ minimum: 0, description })
const orUnknown = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const names = (description: string) => Type.Array(Type.String(), { description })

const shift = {
  gains: names(
    'What they may do that they might not, sorted; a name with a star stands for all below it that is not named here.',
  ),
  loses: names('What they may not do any more.'),
  omitted: Type.Optional(count('Names left out of the two lists, which hold 200 each.')),
}

const connectedDescription = 'null: not known, since the service that knows does not answer'

const GroupsImpact = object(
  {
    groups: Type.Array(object({ group: Type.String(), ...shift }, 'A group.'), {
      description: 'Groups whose members gain or lose something by them, in the order of the file; 200 at most.',
    }),
    groupsOmitted: Type.Optional(count('Such groups besides those listed.')),
    newAccounts: object(shift, 'What accounts that are created from then on gain and lose.'),
    accounts: orUnknown(
      object(
        {
          count: count('Accounts that gain or lose something, by all their groups together.'),
          connected: orUnknown(count(`How many of them are connected now; ${connectedDescription}.`)),
          listed: Type.Array(object({ email: Type.String(), ...shift }, 'An account.'), {
            description: 'The first 50 of them by email; none without the permission `admin.users.read`.',
          }),
        },
        'Whom it touches; null: the accounts cannot be read now.',
      ),
    ),
    unknownGroups: Type.Array(
      object({ group: Type.String(), accounts: count('How many accounts name it.') }, 'A group that is none.'),
      { description: 'Groups that accounts name but that would not exist, sorted; 100 at most.' },
    ),
  },
  'Of `groups.yaml`: who gains and loses which permissions.',
)
export type GroupsImpact = Static<typeof GroupsImpact>

const SettingImpact = object(
  {
    pointer: Type.String({ description: 'JSON Pointer of the setting.' }),
    touches: Type.Unsafe<'connected' | 'newcomers' | 'nobody'>({
      type: 'string',
      enum: ['connected', 'newcomers', 'nobody'],
      description: 'Whom of the players: those that are connected, those that come from then on, or none.',
    }),
    note: Type.String({ description: 'What happens, in one sentence.' }),
  },
  'A setting that changes.',
)
export type SettingImpact = Static<typeof SettingImpact>

const BlocksImpact = object(
  {
    added: names('Blocks that can be placed from then on.'),
    changed: names('Blocks that look or behave otherwise.'),
    removed: names('Blocks that are taken away: where they stand, worlds show a placeholder.'),
    moved: Type.Boolean({ description: 'Whether blocks that stay stand in another order.' }),
  },
  'Of `blocks.yaml`, by id.',
)
export type BlocksImpact = Static<typeof BlocksImpact>

const Grants = Type.Array(
  Type.Union([
    object({ attack: Type.String(), rank: Type.Integer() }, 'An attack in a rank.'),
    object({ spell: Type.String() }, 'A spell.'),
  ]),
)

const classParts = {
  classes: Type.Array(
    object({ class: Type.String(), level: Type.Integer(), gains: Grants, loses: Grants }, 'A level of a class.'),
    { description: 'Of `classes.yaml`: which class gains or loses what at which level; 500 at most.' },
  ),
  classesOmitted: Type.Optional(count('Such levels besides those listed.')),
}
const ClassesImpact = Type.Object(classParts)
export type ClassesImpact = Static<typeof ClassesImpact>

const SkillImpact = object(
  {
    id: Type.String(),
    change: Type.Unsafe<'added' | 'changed' | 'removed'>({ type: 'string', enum: ['added', 'changed', 'removed'] }),
    classes: names('Classes that learn it, by the classes in force.'),
  },
  'An attack or a spell.',
)
export type SkillImpact = Static<typeof SkillImpact>

/** What a change of a config file would do to players and accounts; the parts that depend on the file are there for that file alone. */
export const ConfigImpact = object(
  {
    connected: orUnknown(count(`Players connected now whom the change touches; ${connectedDescription}.`)),
    warnings: names('What is likely not meant, each in one sentence.'),
    changesOmitted: Type.Optional(count('Changes besides those listed in `changes`, which holds 500.')),
    groups: Type.Optional(GroupsImpact),
    settings: Type.Optional(Type.Array(SettingImpact, { description: 'Of `server.yaml`: each setting that changes.' })),
    blocks: Type.Optional(BlocksImpact),
    classes: Type.Optional(classParts.classes),
    classesOmitted: classParts.classesOmitted,
    skills: Type.Optional(
      Type.Array(SkillImpact, {
        description: 'Of `skills/attacks.yaml` and `skills/spells.yaml`: what comes, changes and goes; 500 at most.',
      }),
    ),
  },
  'What the change would do.',
)
export type ConfigImpact = Static<typeof ConfigImpact>
