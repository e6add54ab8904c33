import { describe, expect, it } from '@jest/globals'
import { compileRules } from '../../../../shared/domain/permissions/compile-rules.ts'
import { operatorRules } from '../../../../shared/domain/permissions/operator-rules.ts'
import { defineGroups } from '../../../support/accounts/groups.ts'

describe('compileRules', () => {
  it('collects the rules of inherited groups with the path to each', () => {
    const groups = defineGroups({
      player: ['world.build'],
      builder: { permissions: ['zone.build'], inherits: ['player'] },
      moderator: { permissions: ['-world.build'], inherits: ['builder'] },
    })
    expect(compileRules(groups, ['moderator']).rules).toEqual([
      { pattern: 'world.build', takesAway: true, group: 'moderator', path: ['moderator'] },
      { pattern: 'zone.build', takesAway: false, group: 'builder', path: ['moderator', 'builder'] },
      { pattern: 'world.build', takesAway: false, group: 'player', path: ['moderator', 'builder', 'player'] },
    ])
  })

  it('includes a group with two paths once, by the shortest', () => {
    const groups = defineGroups({
      base: ['x'],
      left: { inherits: ['base'] },
      right: { inherits: ['left', 'base'] },
    })
    expect(compileRules(groups, ['right']).rules.map(({ path }) => path)).toEqual([['right', 'base']])
    expect(compileRules(groups, ['right', 'base', 'base']).rules.map(({ path }) => path)).toEqual([['base']])
  })

  it('ends on inheritance cycles and self-inheritance', () => {
    const groups = defineGroups({
      a: { permissions: ['x'], inherits: ['b', 'a'] },
      b: { permissions: ['y'], inherits: ['a'] },
    })
    expect(compileRules(groups, ['a']).rules.map(({ pattern }) => pattern)).toEqual(['x', 'y'])
  })

  it('lists unknown groups of the account once, without effect', () => {
    const groups = defineGroups({ player: { permissions: ['x'], inherits: ['gone-too'] } })
    const { rules, unknownGroups } = compileRules(groups, ['gone', 'player', 'gone', 'constructor'])
    expect(rules.map(({ pattern }) => pattern)).toEqual(['x'])
    expect(unknownGroups).toEqual(['gone', 'constructor'])
  })

  it('has a built-in admin group with all permissions, whatever the config defines', () => {
    const groups = defineGroups({ admin: ['-*'], head: { inherits: ['admin'] } })
    expect(operatorRules.rules).toEqual([{ pattern: '*', takesAway: false, group: 'admin', path: ['admin'] }])
    expect(operatorRules.unknownGroups).toEqual([])
    expect(compileRules(groups, ['head']).rules).toEqual([
      { pattern: '*', takesAway: false, group: 'admin', path: ['head', 'admin'] },
    ])
  })
})
