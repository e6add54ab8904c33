import { describe, expect, it } from '@jest/globals'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'

const config = {
  groups: [
    { name: 'player', permissions: ['world.build', '-command.tp'], description: 'Everybody.' },
    { name: 'builder', permissions: ['zone.build', 'world.build'], inherits: ['player'] },
  ],
  defaultGroups: ['player'],
}

const patterns = (permissions: ReturnType<typeof createPermissions>, ...groups: string[]) =>
  permissions.rulesFor(groups).rules.map(({ pattern }) => pattern)

describe('createPermissions', () => {
  it('lists admin first, then the groups in file order, with their rules after inheritance', () => {
    const permissions = createPermissions(config)
    expect(permissions.groupNames()).toEqual(['admin', 'player', 'builder'])
    expect(permissions.defaultGroups()).toEqual(['player'])
    expect(permissions.listGroups()).toEqual([
      { name: 'admin', permissions: ['*'], inherits: [], effective: ['*'], description: 'Built in: may do everything.' },
      {
        name: 'player',
        permissions: ['world.build', '-command.tp'],
        inherits: [],
        effective: ['-command.tp', 'world.build'],
        description: 'Everybody.',
      },
      {
        name: 'builder',
        permissions: ['zone.build', 'world.build'],
        inherits: ['player'],
        effective: ['-command.tp', 'world.build', 'zone.build'],
      },
    ])
  })

  it('gives accounts with the same groups the same rules', () => {
    const permissions = createPermissions(config)
    expect(permissions.rulesFor(['builder', 'player'])).toBe(permissions.rulesFor(['builder', 'player']))
    expect(permissions.rulesFor(['player'])).not.toBe(permissions.rulesFor(['builder']))
  })

  it('keeps group lists apart whose names join to the same text', () => {
    const permissions = createPermissions(config)
    expect(permissions.rulesFor(['a,b']).unknownGroups).toEqual(['a,b'])
    expect(permissions.rulesFor(['a', 'b']).unknownGroups).toEqual(['a', 'b'])
  })

  it('stays correct for more group lists than its cache holds', () => {
    const permissions = createPermissions(config)
    for (let index = 0; index < 2_500; index++) permissions.rulesFor([`group-${index}`])
    expect(permissions.rulesFor(['group-7']).unknownGroups).toEqual(['group-7'])
    expect(patterns(permissions, 'player')).toEqual(['world.build', 'command.tp'])
  })

  it('applies new groups before it notifies listeners, and not those that left', () => {
    const permissions = createPermissions(config)
    expect(patterns(permissions, 'player')).toEqual(['world.build', 'command.tp'])
    const notified: string[][] = []
    const leave = permissions.onChange(() => notified.push(patterns(permissions, 'player')))
    permissions.replace({ groups: [{ name: 'player', permissions: ['x'] }], defaultGroups: ['guest'] })
    expect(notified).toEqual([['x']])
    expect(permissions.groupNames()).toEqual(['admin', 'player'])
    expect(permissions.defaultGroups()).toEqual(['guest'])
    leave()
    permissions.replace(config)
    expect(notified).toHaveLength(1)
  })

  it('keeps the built-in admin whatever the config defines', () => {
    const permissions = createPermissions({ groups: [{ name: 'admin', permissions: [] }], defaultGroups: [] })
    expect(permissions.groupNames()).toEqual(['admin'])
    expect(decidePermission(permissions.rulesFor(['admin']), 'x', { verified: true, privileged: false }).allowed).toBe(true)
  })

  it('reports unknown groups of accounts until a reload defines them', () => {
    const permissions = createPermissions(config)
    expect(permissions.unknownGroups()).toEqual([])
    permissions.rulesFor(['player', 'ghost', 'elder'])
    expect(permissions.unknownGroups()).toEqual(['elder', 'ghost'])
    permissions.replace({ ...config, groups: [...config.groups, { name: 'ghost', permissions: [] }] })
    permissions.rulesFor(['player', 'ghost', 'elder'])
    expect(permissions.unknownGroups()).toEqual(['elder'])
  })
})
