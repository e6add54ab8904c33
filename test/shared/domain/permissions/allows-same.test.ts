import { describe, expect, it } from '@jest/globals'
import { compileRules } from '../../../../shared/domain/permissions/compile-rules.ts'
import { allowsSame } from '../../../../shared/domain/permissions/covers-rules.ts'

const rulesOf = (permissions: readonly string[]) =>
  compileRules(new Map([['one', { name: 'one', permissions: [...permissions] }]]), ['one'])

const compare = (one: readonly string[], other: readonly string[], verified: boolean) => {
  const forth = allowsSame(rulesOf(one), rulesOf(other), verified)
  expect(allowsSame(rulesOf(other), rulesOf(one), verified)).toBe(forth)
  return forth
}

describe('the permissions that two sets of rules allow', () => {
  it.each([
    [['world.build'], ['world.build', 'world.build'], true, true],
    [['world.*'], ['world.*', 'world.build'], true, true],
    [['world.build'], ['world.build', '-zone.build'], true, true],
    [['*'], ['*', 'command.*', 'admin.users.read'], true, true],
    [['world.build', '-world.build'], [], true, true],
    [['world.build'], [], false, false],
    [['world.build'], ['world.*'], false, false],
    [['*'], ['*', '-zone.build'], false, false],
    [[], ['admin.users.read'], false, true],
    [['admin.*'], ['admin.*', '-admin.users.read'], false, true],
    [[], ['command.kick'], false, true],
    [['*'], ['world.*', 'zone.*'], false, false],
  ])('of %j and %j are the same: %p with a verified sign-in, %p without', (one, other, verified, unverified) => {
    expect([compare(one, other, true), compare(one, other, false)]).toEqual([verified, unverified])
  })
})
