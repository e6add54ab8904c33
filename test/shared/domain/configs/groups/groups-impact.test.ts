import { describe, expect, it } from '@jest/globals'
import { ConfigImpact } from '../../../../../shared/domain/configs/compare/config-impact-schema.ts'
import type { GroupsConfig } from '../../../../../shared/domain/permissions/groups-config.ts'
import { createParser } from '../../../../../shared/kernel/schema.ts'
import { createImpactFixture } from '../../../../support/configs/impact-fixture.ts'

const groups: GroupsConfig = {
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'builder', permissions: ['zone.build'], inherits: ['player'] },
    { name: 'staff', permissions: ['admin.users.*'] },
  ],
  defaultGroups: ['player'],
}
const [player, builder, staff] = groups.groups
if (!player || !builder || !staff) throw new Error('three groups')

const withGroups = (...list: GroupsConfig['groups']): GroupsConfig => ({ ...groups, groups: list })

describe('the impact of a change of groups.yaml', () => {
  it('lists changes by group, with heirs and expanded wildcards', async () => {
    const { describe } = createImpactFixture({ groups })
    const next = withGroups(
      { ...player, permissions: ['command.who'] },
      builder,
      { ...staff, permissions: ['admin.users.*', 'admin.worlds.*'] },
      { name: 'fresh', permissions: ['shop.sell'] },
    )
    const { groups: impact } = await describe('groups.yaml', next)
    expect(impact?.groups).toEqual([
      { group: 'player', gains: ['command.who'], loses: ['world.build'] },
      { group: 'builder', gains: ['command.who'], loses: ['world.build'] },
      { group: 'staff', gains: ['admin.worlds.*', 'admin.worlds.read', 'admin.worlds.write'], loses: [] },
      { group: 'fresh', gains: ['shop.sell'], loses: [] },
    ])
    expect(impact?.newAccounts).toEqual({ gains: ['command.who'], loses: ['world.build'] })
  })

  it('lists changes by account over all its groups, and the number of connected ones', async () => {
    const { describe, addAccount } = createImpactFixture({ groups })
    await addAccount('ann', ['player'], { connected: true })
    await addAccount('bob', ['player', 'staff'])
    await addAccount('cid', ['builder', 'player'], { connected: true })
    await addAccount('dot', ['staff'], { connected: true })
    await addAccount('eve', ['admin'], { connected: true })
    const impact = await describe('groups.yaml', withGroups(player, { ...builder, permissions: ['-world.build'] }, staff))
    expect(impact).toMatchObject({
      connected: 1,
      warnings: [],
      groups: {
        accounts: {
          count: 1,
          connected: 1,
          listed: [{ email: 'cid@example.com', gains: [], loses: ['world.build', 'zone.build'] }],
        },
      },
    })
  })

  it('counts an account that has a group only by a grant', async () => {
    const { describe, addAccount } = createImpactFixture({ groups })
    await addAccount('ann', ['player'], { granted: 'builder' })
    const impact = await describe('groups.yaml', withGroups(player, { ...builder, permissions: [] }, staff))
    expect(impact.groups?.accounts).toMatchObject({ count: 1, listed: [{ email: 'ann@example.com', loses: ['zone.build'] }] })
    const without = await describe('groups.yaml', withGroups(player, staff))
    expect(without.groups?.unknownGroups).toEqual([{ group: 'builder', accounts: 1 }])
  })

  it('yields to other work between groups, changed or not', async () => {
    const many = withGroups(...Array.from({ length: 300 }, (_, at) => ({ name: `g${at}`, permissions: ['world.build'] })))
    const { describe, turns } = createImpactFixture({ groups: many })
    await describe('groups.yaml', many)
    expect(turns.taken).toBeGreaterThanOrEqual(300)
  })

  it('omits an account when another of its groups still grants the permission', async () => {
    const { describe, addAccount } = createImpactFixture({ groups })
    await addAccount('ann', ['player', 'builder'])
    const next = withGroups(
      { ...player, permissions: [] },
      { name: 'builder', permissions: ['world.build', 'zone.build'] },
      staff,
    )
    const { groups: impact } = await describe('groups.yaml', next)
    expect(impact?.groups).toEqual([{ group: 'player', gains: [], loses: ['world.build'] }])
    expect(impact?.accounts).toEqual({ count: 0, connected: 0, listed: [] })
  })

  it('counts all accounts and lists the first fifty by email', async () => {
    const { describe, addAccount } = createImpactFixture({ groups })
    for (let at = 0; at < 450; at++) await addAccount(`p${String(at).padStart(3, '0')}`, ['player'], { connected: at % 3 === 0 })
    const { groups: impact } = await describe('groups.yaml', withGroups({ ...player, permissions: [] }, builder, staff))
    expect(impact?.accounts).toMatchObject({ count: 450, connected: 150 })
    const emails = impact?.accounts?.listed.map(({ email }) => email) ?? []
    expect([emails.length, emails[0], emails[49]]).toEqual([50, 'p000@example.com', 'p049@example.com'])
  })

  it('names groups that accounts still have: newly removed ones and earlier missing ones', async () => {
    const { describe, addAccount } = createImpactFixture({ groups })
    await addAccount('ann', ['builder', 'lost'])
    await addAccount('bob', ['builder'])
    const impact = await describe('groups.yaml', withGroups(player, staff))
    expect(impact.groups?.unknownGroups).toEqual([
      { group: 'builder', accounts: 2 },
      { group: 'lost', accounts: 1 },
    ])
    expect(impact.warnings).toEqual([
      'The group "builder" would no longer exist. 2 accounts are in it and would lose its permissions.',
    ])
    expect(impact.groups?.groups).toContainEqual({ group: 'builder', gains: [], loses: ['world.build', 'zone.build'] })
  })

  it('warns only when no account could administer after the change', async () => {
    const nobody = /^No one could administer/
    const { describe, addAccount } = createImpactFixture({ groups })
    const next = withGroups(player, builder, { ...staff, permissions: [] })
    await addAccount('dot', ['staff'])
    expect((await describe('groups.yaml', next)).warnings).toEqual([])
    await addAccount('dot', ['staff'], { password: true })
    expect((await describe('groups.yaml', next)).warnings).toEqual([expect.stringMatching(nobody)])
    expect((await describe('groups.yaml', groups)).warnings).toEqual([])
    await addAccount('eve', ['admin'], { password: true })
    expect((await describe('groups.yaml', next)).warnings).toEqual([])
  })

  it('warns of permissions that no loaded module declares', async () => {
    const { describe } = createImpactFixture({ groups })
    const next = withGroups(player, builder, staff, { name: 'shopper', permissions: ['module.shop.buy', '-module.shop.sell'] })
    const { warnings } = await describe('groups.yaml', next)
    expect(warnings).toEqual([
      expect.stringContaining('`module.shop.buy`. No loaded module declares it. It has no effect until'),
      expect.stringContaining('`-module.shop.sell`'),
    ])
  })

  it('warns of a default group that does not exist', async () => {
    const { describe } = createImpactFixture({ groups })
    const { warnings } = await describe('groups.yaml', { ...groups, defaultGroups: ['playr'] })
    expect(warnings).toEqual([
      'New accounts would be in "playr", which is not a group and gives no permissions. Did you mean "player"?',
    ])
  })

  it('omits connected players without Redis, and accounts when they cannot be read', async () => {
    const { describe, addAccount, setAway } = createImpactFixture({ groups })
    await addAccount('ann', ['player'], { connected: true })
    const next = withGroups({ ...player, permissions: [] }, builder, staff)
    setAway({ redis: true })
    const withoutRedis = await describe('groups.yaml', next)
    expect(withoutRedis).toMatchObject({ connected: null, groups: { accounts: { count: 1, connected: null } } })
    setAway({ accounts: true })
    const withoutAccounts = await describe('groups.yaml', next)
    expect(withoutAccounts).toMatchObject({
      connected: null,
      warnings: [expect.stringMatching(/accounts cannot be read/)],
      groups: { accounts: null, groups: [{ group: 'player' }, { group: 'builder' }] },
    })
    const parse = createParser(ConfigImpact)
    for (const impact of [withoutRedis, withoutAccounts]) expect(parse(impact)).toMatchObject({ ok: true })
  })

  it('lists 200 names of a change and 200 groups, and counts the rest', async () => {
    const { describe } = createImpactFixture({ groups })
    const permissions = Array.from({ length: 250 }, (_, at) => `shop.item-${at}`)
    const many = Array.from({ length: 300 }, (_, at) => ({ name: `group-${at}`, permissions }))
    const { groups: impact } = await describe('groups.yaml', withGroups(...groups.groups, ...many))
    expect(impact?.groups).toHaveLength(200)
    expect(impact?.groupsOmitted).toBe(100)
    expect(impact?.groups[0]).toMatchObject({ group: 'group-0', omitted: 50 })
    expect(impact?.groups[0]?.gains).toHaveLength(200)
  })
})
