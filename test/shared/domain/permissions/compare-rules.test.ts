import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { compareRules } from '../../../../shared/domain/permissions/covers-rules.ts'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { knownPermissions } from '../../../../shared/domain/permissions/known-permissions.ts'
import { rulesOf } from '../../../support/accounts/groups.ts'

describe('the comparison of two groups', () => {
  it.each([
    { before: [], after: [], gains: [], loses: [] },
    { before: [], after: ['world.build'], gains: ['world.build'], loses: [] },
    { before: ['world.build'], after: ['world.build', '-world.build'], gains: [], loses: ['world.build'] },
    { before: ['shop.sell'], after: ['shop.*'], gains: ['shop.*'], loses: [] },
    { before: ['shop.*'], after: ['shop.*', '-shop.sell'], gains: [], loses: ['shop.sell'] },
    { before: ['admin.users.read'], after: ['admin.users.*'], gains: ['admin.users.*', 'admin.users.write'], loses: [] },
    { before: ['*', '-admin.*'], after: ['*', '-admin.*', 'world.build'], gains: [], loses: [] },
  ])('from $before to $after gains $gains and loses $loses', ({ before, after, gains, loses }) => {
    expect(compareRules(rulesOf(...before), rulesOf(...after))).toEqual({ gains, loses })
  })

  it('expands a wildcard to all known permissions and the rest', () => {
    expect(compareRules(rulesOf('world.build'), rulesOf('*')).gains).toEqual([
      '*',
      ...knownPermissions.filter((name) => name !== 'world.build'),
    ])
  })

  it('lists exactly the permissions whose decision changes, in both directions', () => {
    const rule = fc.constantFrom('*', 'a.*', 'a.b', 'a.b.*', 'c', '-*', '-a.*', '-a.b', '-c', 'world.build', '-command.*')
    const rules = fc.array(rule, { maxLength: 5 }).map((list) => rulesOf(...list))
    const caller = { verified: true, privileged: false }
    fc.assert(
      fc.property(rules, rules, (before, after) => {
        const { gains, loses } = compareRules(before, after)
        for (const name of ['c', 'a.b', ...knownPermissions]) {
          const could = decidePermission(before, name, caller).allowed
          const can = decidePermission(after, name, caller).allowed
          if (gains.includes(name)) expect([could, can]).toEqual([false, true])
          else if (loses.includes(name)) expect([could, can]).toEqual([true, false])
          else if (knownPermissions.includes(name)) expect(can).toBe(could)
        }
        expect(compareRules(after, before)).toEqual({ gains: loses, loses: gains })
      }),
    )
  })
})
