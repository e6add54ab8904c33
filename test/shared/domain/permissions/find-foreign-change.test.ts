import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findForeignChange } from '../../../../shared/domain/permissions/covers-rules.ts'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { rulesOf } from '../../../support/accounts/groups.ts'
import { permission, rule } from '../../../support/accounts/permission-arbitraries.ts'

const verified = { verified: true, privileged: false }

describe('findForeignChange', () => {
  it.each([
    [[], [], [], undefined],
    [[], ['x'], ['x'], undefined],
    [[], ['x'], [], 'x'],
    [[], [], ['x'], 'x'],
    [['x'], [], ['x'], undefined],
    [['x'], ['x'], [], undefined],
    [['*'], [], ['*', '-a.b'], undefined],
    [['admin.configs.*'], [], ['*'], '*'],
    [['admin.configs.*'], [], ['admin.*'], 'admin.*'],
    [['admin.configs.*'], [], ['admin.configs.*'], undefined],
    [['admin.configs.*'], ['*'], ['*', 'x'], undefined],
    [['x'], [], ['-y'], 'y'],
    [['x'], ['-y'], [], 'y'],
    [['x', 'y'], ['-y'], [], undefined],
    [['*', '-y'], ['-y'], [], 'y'],
    [['*', '-y'], [], ['a', 'b.*'], undefined],
    [['*', '-y'], [], ['*'], 'y'],
    [['a.*'], [], ['a'], 'a'],
    [['x'], ['y', '-y'], ['-y'], undefined],
  ])('of an actor with %j when %j becomes %j: %s', (actor, before, after, expected) => {
    expect(findForeignChange(rulesOf(...actor), rulesOf(...before), rulesOf(...after))).toBe(expected)
  })

  const rules = fc.array(rule, { maxLength: 5 }).map((texts) => rulesOf(...texts))

  it('finds one exactly when there is one among all possible permissions', () => {
    fc.assert(
      fc.property(rules, rules, rules, fc.array(permission, { maxLength: 60 }), (actor, before, after, asked) => {
        const isForeign = (name: string) =>
          decidePermission(before, name, verified).reason !== decidePermission(after, name, verified).reason &&
          !decidePermission(actor, name, verified).allowed
        if (asked.some(isForeign)) expect(findForeignChange(actor, before, after)).toBeDefined()
      }),
      { numRuns: 3_000 },
    )
  })

  it('finds none when the actor has everything that either side mentions', () => {
    fc.assert(
      fc.property(rules, rules, (before, after) => {
        expect(findForeignChange(rulesOf('*'), before, after)).toBeUndefined()
      }),
    )
  })
})
