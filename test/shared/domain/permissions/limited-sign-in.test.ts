import { describe, expect, it } from '@jest/globals'
import { allowsSame } from '../../../../shared/domain/permissions/covers-rules.ts'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { isLimitedSignIn, zonePlayerIdOf } from '../../../../shared/domain/permissions/limited-sign-in.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const clock = createFixedClock()
const groups = [
  { name: 'player', permissions: ['world.build', '-command.tp'] },
  { name: 'builder', permissions: ['zone.build', 'command.tp'] },
]
const open = () => createPermissions({ groups, defaultGroups: ['player'] }, clock)
const grant = { id: 'g', permission: 'command.who', by: 'operator', at: new Date(clock.now()).toISOString() }
const hash = 'a hash'
const builder = { playerId: 'b', groups: ['builder'], grants: [grant] }
const unverified = { verified: false, privileged: false }

const asVerified = { verified: true, scope: undefined }
const asUnverified = { verified: false, scope: undefined }

describe('an unverified sign-in', () => {
  it.each([
    ['an account without a password', {}, false],
    ['an account with a password', { passwordHash: hash }, true],
    ['an account of an identity provider', { subject: 'https://issuer.example|1' }, true],
  ])('of %s is limited: %j, %s', (_what, parts, isLimited) => {
    const account = { ...builder, ...parts }
    const permissions = open()
    expect(isLimitedSignIn(account, false)).toBe(isLimited)
    expect(isLimitedSignIn(account, true)).toBe(false)
    expect(zonePlayerIdOf(account, false)).toBe(isLimited ? '' : 'b')
    expect(permissions.groupsOfSignIn(account, false)).toEqual(isLimited ? ['player'] : ['builder'])
    const rules = permissions.rulesOfSignIn(account, asUnverified)
    for (const [permission, byDefaults] of [
      ['world.build', true],
      ['zone.build', false],
      ['command.tp', false],
      ['command.who', false],
    ] as const)
      expect([permission, decidePermission(rules, permission, unverified).allowed]).toEqual([
        permission,
        isLimited ? byDefaults : permission !== 'world.build',
      ])
  })

  it('reports a permission as unverified only if a verified sign-in would have it', () => {
    const rules = open().rulesOfSignIn({ ...builder, passwordHash: hash }, asUnverified)
    const reasonOf = (permission: string) => decidePermission(rules, permission, unverified).reason
    expect(['zone.build', 'command.tp', 'command.who', 'world.fly'].map(reasonOf)).toEqual([
      'unverified',
      'unverified',
      'unverified',
      'not-granted',
    ])
    // The same rules decided as for a verified sign-in give nothing more.
    expect(decidePermission(rules, 'zone.build', { verified: true, privileged: false }).reason).toBe('not-granted')
  })

  it('keeps the denials of its groups and grants', () => {
    const jail = { name: 'jailed', permissions: ['-world.build', '-command.*'] }
    const permissions = createPermissions(
      { groups: [...groups, jail, { name: 'guest', permissions: ['world.build', 'command.help'] }], defaultGroups: ['guest'] },
      clock,
    )
    const jailed = { groups: ['builder', 'jailed'], passwordHash: hash }
    const granted = {
      groups: ['builder'],
      grants: [{ id: 'j', group: 'jailed', by: grant.by, at: grant.at }],
      passwordHash: hash,
    }
    for (const account of [jailed, granted])
      expect(decidePermission(permissions.rulesOfSignIn(account, asUnverified), 'world.build', unverified)).toMatchObject({
        allowed: false,
        reason: 'taken-away',
      })
    expect(decidePermission(permissions.rulesOfSignIn(jailed, asUnverified), 'command.help', unverified).reason).toBe(
      'taken-away',
    )
    const free = { groups: ['builder'], passwordHash: hash }
    expect(decidePermission(permissions.rulesOfSignIn(free, asUnverified), 'world.build', unverified).allowed).toBe(true)
    expect(
      allowsSame(permissions.rulesOfSignIn(free, asUnverified), permissions.rulesOfSignIn(jailed, asUnverified), false),
    ).toBe(false)
  })

  it('has by `*` no more than the default groups allow, also without a password', () => {
    const permissions = open()
    const root = { groups: ['admin', 'builder'] }
    const rules = permissions.rulesOfSignIn(root, asUnverified)
    const reasons = (permission: string) => decidePermission(rules, permission, unverified).reason
    // By name, by the default groups, and only by `*`.
    expect(['zone.build', 'world.build', 'world.fly', 'command.say'].map(reasons)).toEqual([
      'granted',
      'granted',
      'unverified',
      'unverified',
    ])
    expect(permissions.groupsOfSignIn(root, false)).toEqual(['admin', 'builder'])
    expect(
      decidePermission(permissions.rulesOfSignIn(root, asVerified), 'world.fly', { ...unverified, verified: true }).allowed,
    ).toBe(true)
    permissions.replace({ groups, defaultGroups: ['admin'] })
    expect(decidePermission(permissions.rulesOfSignIn(root, asUnverified), 'world.fly', unverified).allowed).toBe(true)
  })

  it('follows a change of the default groups', () => {
    const permissions = open()
    const account = { ...builder, passwordHash: hash }
    const may = () => decidePermission(permissions.rulesOfSignIn(account, asUnverified), 'zone.build', unverified).allowed
    expect(may()).toBe(false)
    permissions.replace({ groups, defaultGroups: ['builder'] })
    expect(may()).toBe(true)
  })

  it('shares its rules between accounts of the same groups', () => {
    const permissions = open()
    const [one, other] = ['one', 'other'].map((playerId) => ({ playerId, groups: ['builder'], passwordHash: hash }))
    if (one === undefined || other === undefined) throw new Error('two accounts')
    expect(permissions.rulesOfSignIn(one, asUnverified)).toBe(permissions.rulesOfSignIn(other, asUnverified))
  })
})
