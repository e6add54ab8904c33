import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { compileRules } from '../../../../shared/domain/permissions/compile-rules.ts'
import { decidePermission, isPrivileged } from '../../../../shared/domain/permissions/decide-permission.ts'
import { operatorRules } from '../../../../shared/domain/permissions/operator-rules.ts'
import { defineGroups, rulesOf } from '../../../support/accounts/groups.ts'
import { matches, permission, rule } from '../../../support/accounts/permission-arbitraries.ts'

const verified = { verified: true, privileged: false }
const unverified = { verified: false, privileged: false }

describe('decidePermission', () => {
  it.each([
    [[], 'world.build', 'not-granted'],
    [['world.build'], 'world.build', 'granted'],
    [['world.build'], 'world.build.fast', 'not-granted'],
    [['world.build'], 'world', 'not-granted'],
    [['world.build'], 'world.builder', 'not-granted'],
    [['*'], 'world.build', 'granted'],
    [['*'], 'world', 'granted'],
    [['world.*'], 'world.build', 'granted'],
    [['world.*'], 'world.build.fast.now', 'granted'],
    [['world.*'], 'world', 'not-granted'],
    [['world.*'], 'worlds.read', 'not-granted'],
    [['admin.instances.*'], 'admin.instances.read', 'granted'],
    [['admin.instances.*'], 'admin.instances', 'not-granted'],
    [['admin.instances.*'], 'admin.users.read', 'not-granted'],
    [['-world.build'], 'world.build', 'taken-away'],
    [['world.build', '-world.build'], 'world.build', 'taken-away'],
    [['-world.build', 'world.build'], 'world.build', 'taken-away'],
    [['*', '-world.build'], 'world.build', 'taken-away'],
    [['*', '-world.build'], 'world.build.fast', 'granted'],
    [['*', '-world.build'], 'world.chat', 'granted'],
    [['*', '-world.*'], 'world.build', 'taken-away'],
    [['*', '-world.*'], 'world', 'granted'],
    [['world.build', '-world.*'], 'world.build', 'taken-away'],
    [['world.build', '-*'], 'world.build', 'taken-away'],
    [['*', '-*'], 'anything', 'taken-away'],
  ])('with the rules %j decides %s: %s', (rules, asked, reason) => {
    expect(decidePermission(rulesOf(...rules), asked, verified).reason).toBe(reason)
  })

  it('lets a denial win over a grant of any other group and of the built-in admin', () => {
    const groups = defineGroups({ jailed: ['-world.build'], builder: ['world.build'] })
    for (const names of [
      ['jailed', 'builder'],
      ['builder', 'jailed'],
      ['admin', 'jailed'],
    ])
      expect(decidePermission(compileRules(groups, names), 'world.build', verified)).toMatchObject({
        allowed: false,
        reason: 'taken-away',
        rule: { group: 'jailed', pattern: 'world.build', takesAway: true },
      })
  })

  it('returns the most specific rule that decides', () => {
    const rules = rulesOf('*', 'a.*', 'a.b.*', 'a.b.c')
    const patternFor = (asked: string) => decidePermission(rules, asked, verified).rule?.pattern
    expect(['a.b.c', 'a.b.d', 'a.c', 'b'].map(patternFor)).toEqual(['a.b.c', 'a.b.*', 'a.*', '*'])
  })

  it.each([
    ['an unverified sign-in', unverified, 'admin.users.read', false],
    ['a verified sign-in', verified, 'admin.users.read', true],
    ['an unverified sign-in', unverified, 'command.say', true],
    ['an unverified sign-in, marked privileged', { verified: false, privileged: true }, 'command.kick', false],
    ['a verified sign-in, marked privileged', { verified: true, privileged: true }, 'command.kick', true],
  ])('with * and %s (%j) decides %s: %s', (_, caller, asked, allowed) => {
    expect(decidePermission(operatorRules, asked, caller)).toMatchObject({
      allowed,
      reason: allowed ? 'granted' : 'unverified',
      rule: { pattern: '*', group: 'admin' },
    })
  })

  it('returns not-granted instead of unverified when a verified sign-in would not help', () => {
    expect(decidePermission(rulesOf('world.build'), 'admin.users.read', unverified).reason).toBe('not-granted')
    expect(decidePermission(rulesOf('*', '-admin.*'), 'admin.users.read', unverified).reason).toBe('taken-away')
  })

  it('agrees with a matcher that tries every rule in turn', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), permission, (rules, asked) => {
        const decision = decidePermission(rulesOf(...rules), asked, verified)
        const taken = rules.some((text) => text.startsWith('-') && matches(text.slice(1), asked))
        const granted = rules.some((text) => !text.startsWith('-') && matches(text, asked))
        expect(decision.reason).toBe(taken ? 'taken-away' : granted ? 'granted' : 'not-granted')
        if (decision.rule) expect(matches(decision.rule.pattern, asked)).toBe(true)
      }),
      { numRuns: 2_000, seed: 1 },
    )
  })
})

describe('isPrivileged', () => {
  it.each([
    ['admin.users.read', true],
    ['admin.x', true],
    ['admin', false],
    ['administer.x', false],
    ['command.kick', false],
  ])('returns for %s: %s', (asked, privileged) => {
    expect(isPrivileged(asked)).toBe(privileged)
  })
})
