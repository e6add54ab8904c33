import { describe, expect, it } from '@jest/globals'
import { compileRules } from '../../../../shared/domain/permissions/compile-rules.ts'
import { isSameRules } from '../../../../shared/domain/permissions/rules.ts'

const rulesOf = (...permissions: string[]) => compileRules(new Map([['one', { name: 'one', permissions }]]), ['one'])

describe('two sets of rules', () => {
  it('are the same in another order, with duplicates, and by inheritance', () => {
    const written = rulesOf('world.build', 'command.*', '-zone.build', '-admin.*')
    expect(isSameRules(written, rulesOf('-admin.*', '-zone.build', 'command.*', 'world.build', 'world.build'))).toBe(true)
    const groups = new Map([
      ['one', { name: 'one', permissions: ['command.*', '-admin.*'], inherits: ['two'] }],
      ['two', { name: 'two', permissions: ['world.build', '-zone.build'] }],
    ])
    expect(isSameRules(written, compileRules(groups, ['one']))).toBe(true)
    expect(isSameRules(rulesOf(), rulesOf())).toBe(true)
  })

  it.each([
    [['world.build'], []],
    [['world.build'], ['zone.build']],
    [['world.build'], ['-world.build']],
    [['world.build'], ['world.build', '-zone.build']],
    [['world.*'], ['world']],
    [['world.*'], ['-world.*']],
    [['*'], ['world.*']],
  ])('differ after a change from %j to %j', (before, after) => {
    expect(isSameRules(rulesOf(...before), rulesOf(...after))).toBe(false)
    expect(isSameRules(rulesOf(...after), rulesOf(...before))).toBe(false)
  })
})
