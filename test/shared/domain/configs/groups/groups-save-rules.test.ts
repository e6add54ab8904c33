import { describe, expect, it } from '@jest/globals'
import { findLostWriting, refuseForeignGroups } from '../../../../../shared/domain/configs/groups/groups-save-rules.ts'
import { compileRules } from '../../../../../shared/domain/permissions/compile-rules.ts'
import type { GroupsConfig } from '../../../../../shared/domain/permissions/groups-config.ts'
import { fixtureGroups } from '../../../../support/accounts/fixture-groups.ts'

type Group = GroupsConfig['groups'][number]

const withGroup = (name: string, change: Partial<Group>): GroupsConfig => ({
  ...fixtureGroups,
  groups: fixtureGroups.groups.map((group) => (group.name === name ? { ...group, ...change } : group)),
})
const withoutGroup = (name: string): GroupsConfig => ({
  ...fixtureGroups,
  groups: fixtureGroups.groups.filter((group) => group.name !== name),
})
const withMore = (...groups: Group[]): GroupsConfig => ({ ...fixtureGroups, groups: [...fixtureGroups.groups, ...groups] })
const positionOf = (name: string) => fixtureGroups.groups.findIndex((group) => group.name === name)

describe('findLostWriting', () => {
  it.each<[string, GroupsConfig, string[]]>([
    ['as it is', fixtureGroups, ['config-writer']],
    ['with an administrator, who needs no group of the file', { groups: [], defaultGroups: [] }, ['admin']],
    ['through another group', withGroup('player', { permissions: ['admin.configs.*'] }), ['player']],
    ['by inheritance', withGroup('player', { inherits: ['config-writer'] }), ['player']],
  ])('accepts a text where write access remains %s', (_what, next, groups) => {
    expect(findLostWriting({ current: fixtureGroups, next }, { groups })).toEqual([])
  })

  it('points at the group of the writer that loses write access', () => {
    expect(
      findLostWriting(
        { current: fixtureGroups, next: withGroup('config-writer', { permissions: ['world.build'] }) },
        {
          groups: ['config-writer'],
        },
      ),
    ).toEqual([
      {
        pointer: `/groups/${positionOf('config-writer')}/permissions`,
        message: expect.stringMatching(/without admin\.configs\.write.*\(config-writer\)/),
      },
    ])
  })

  it('points at the list when the group is gone', () => {
    expect(
      findLostWriting({ current: fixtureGroups, next: withoutGroup('config-writer') }, { groups: ['config-writer'] }),
    ).toMatchObject([{ pointer: '/groups' }])
  })

  it('points at the rule that removes it, also from an administrator', () => {
    const next = withGroup('player', { permissions: ['world.build', '-admin.configs.*'] })
    expect(findLostWriting({ current: fixtureGroups, next }, { groups: ['player', 'admin'] })).toEqual([
      {
        pointer: `/groups/${positionOf('player')}/permissions/1`,
        message: expect.stringContaining('remove "-admin.configs.*"'),
      },
    ])
  })
})

describe('refuseForeignGroups', () => {
  const rulesOfGroups = (...groups: string[]) =>
    compileRules(new Map(fixtureGroups.groups.map((group) => [group.name, group])), groups)
  const attempt = async (next: GroupsConfig, ...groups: string[]) => {
    try {
      await refuseForeignGroups(rulesOfGroups(...groups), { current: fixtureGroups, next })
      return 'passes'
    } catch (error) {
      expect(error).toMatchObject({ kind: 'forbidden', slug: 'beyond-own-permissions' })
      return (error as Error).message
    }
  }

  it.each([
    ['a wildcard for a group', withGroup('config-writer', { permissions: ['*'] }), '"config-writer"', '"*"'],
    [
      'more for oneself',
      withGroup('config-writer', { permissions: ['admin.configs.*'] }),
      '"config-writer"',
      '"admin.configs.*"',
    ],
    ['inheritance from admin', withGroup('config-writer', { inherits: ['admin'] }), '"config-writer"', '"*"'],
    [
      'inheritance from a group of others',
      withGroup('config-writer', { inherits: ['staff'] }),
      '"config-writer"',
      'command.kick',
    ],
    ['fewer permissions for others', withGroup('staff', { permissions: ['command.kick'] }), '"staff"', '"admin.users.*"'],
    ['removal of a group', withoutGroup('staff'), '"staff"', 'command.kick'],
    [
      'a denial for administrators',
      withGroup('player', { permissions: ['world.build', '-admin.users.*'] }),
      '"player"',
      'admin.users',
    ],
    ['release of the jailed group', withGroup('jailed', { permissions: [] }), '"jailed"', '"world.build"'],
    ['a new group with other permissions', withMore({ name: 'secret', permissions: ['zone.build'] }), '"secret"', '"zone.build"'],
    ['admin as a default group', { ...fixtureGroups, defaultGroups: ['player', 'admin'] }, 'new accounts', '"*"'],
  ])('refuses a change beyond the writer: %s', async (_what, next, holder, permission) => {
    const message = await attempt(next, 'config-writer')
    expect(message).toContain(holder)
    expect(message).toContain(permission)
  })

  it.each([
    ['nothing changes', fixtureGroups],
    ['a description changes', withGroup('staff', { description: 'Those who help.' })],
    ['the order changes', { ...fixtureGroups, groups: fixtureGroups.groups.toReversed() }],
    ['a group gets permissions of the writer', withGroup('player', { permissions: ['world.build', 'admin.configs.write'] })],
    ['a rule is duplicated', withGroup('builder', { permissions: ['zone.build', 'world.build'] })],
    ['a new group is empty', withMore({ name: 'guests', permissions: [] })],
  ])('lets a writer save when %s', async (_what, next) => {
    expect(await attempt(next, 'config-writer')).toBe('passes')
  })

  it.each([withoutGroup('staff'), withGroup('player', { permissions: ['*'] })])(
    'lets an administrator change everything',
    async (next) => {
      expect(await attempt(next, 'admin')).toBe('passes')
    },
  )

  it('refuses groups with too many inherited rules without blocking the event loop', async () => {
    const groups = Array.from({ length: 1000 }, (_, at) => ({
      name: `g${at}`,
      permissions: Array.from({ length: 40 }, (_, rule) => `p.g${at}.r${rule}`),
      inherits: at === 0 ? [] : [`g${at - 1}`],
    }))
    const large = { groups, defaultGroups: [] }
    await expect(refuseForeignGroups(rulesOfGroups('staff'), { current: large, next: large })).rejects.toMatchObject({
      slug: 'invalid-config',
    })
  })
})
