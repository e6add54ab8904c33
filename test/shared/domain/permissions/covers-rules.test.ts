import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { coversRules } from '../../../../shared/domain/permissions/covers-rules.ts'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { rulesOf } from '../../../support/accounts/groups.ts'
import { permission, rule } from '../../../support/accounts/permission-arbitraries.ts'

const verified = { verified: true, privileged: false }

describe('coversRules', () => {
  it.each([
    [[], [], true],
    [[], ['x'], false],
    [['x'], [], true],
    [['*'], ['*'], true],
    [['*'], ['admin.users.write', 'x.*', '-y'], true],
    [['admin.*'], ['admin.users.write'], true],
    [['admin.*'], ['admin.users.*'], true],
    [['admin.*'], ['admin.*'], true],
    [['admin.*'], ['admin'], false],
    [['admin.*'], ['*'], false],
    [['admin.users.*'], ['admin.*'], false],
    [['admin.users.write'], ['admin.users.*'], false],
    [['*', '-x'], ['x'], false],
    [['*', '-x'], ['*'], false],
    [['*', '-a.x'], ['a.*'], false],
    [['*', '-a.x'], ['a.y'], true],
    [['*', '-a.x'], ['*', '-a.x'], true],
    [['*', '-a.x'], ['*', '-a.*'], true],
    [['*', '-a.x'], ['a.*', '-a.x'], true],
    [['*', '-a.*'], ['*', '-a.x'], false],
    [['*', '-a.*'], ['a.b.c'], false],
    [['*', '-a.*'], ['a'], true],
    [['a.*', '-a.b.*'], ['a.b'], true],
    [['a.*', '-a.b.*'], ['a.*', '-a.b.c'], false],
    [['x'], ['*', '-*'], true],
    [[], ['x', '-x'], true],
    [['a.b', 'a.c'], ['a.*'], false],
  ])('returns for an actor with %j against %j: %s', (actor, other, covered) => {
    expect(coversRules(rulesOf(...actor), rulesOf(...other))).toBe(covered)
  })

  const rules = fc.array(rule, { maxLength: 6 }).map((texts) => rulesOf(...texts))
  const allows = (set: ReturnType<typeof rulesOf>, asked: string) => decidePermission(set, asked, verified).allowed
  const everything = (() => {
    const parts = ['a', 'b', 'c', 'other']
    let level = parts
    const all = [...parts]
    for (let depth = 1; depth < 5; depth++) {
      level = level.flatMap((prefix) => parts.map((part) => `${prefix}.${part}`))
      all.push(...level)
    }
    return all
  })()

  it('never returns true when the other side allows something that the actor lacks', () => {
    fc.assert(
      fc.property(rules, rules, fc.array(permission, { maxLength: 50 }), (actor, other, asked) => {
        if (coversRules(actor, other)) for (const name of asked) expect(allows(other, name) && !allows(actor, name)).toBe(false)
      }),
      { numRuns: 2_000, seed: 2 },
    )
  })

  it('returns true exactly when the actor has every possible permission of the other side', () => {
    fc.assert(
      fc.property(rules, rules, (actor, other) => {
        const covered = everything.every((name) => !allows(other, name) || allows(actor, name))
        expect(coversRules(actor, other)).toBe(covered)
      }),
      { numRuns: 300, seed: 3 },
    )
  })
})
