import { describe, expect, it } from '@jest/globals'
import type { Account } from '../../../../shared/domain/accounts/account.ts'
import { canAdminister } from '../../../../shared/domain/accounts/can-administer.ts'
import {
  refuseBeyondOwn,
  refuseLastAdministrator,
  refuseUnknownGroups,
} from '../../../../shared/domain/accounts/who-may-grant.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'
import { someHash } from '../../../support/accounts/account-fixture.ts'
import { fixtureGroups } from '../../../support/accounts/fixture-groups.ts'
import { makeAccount } from '../../../support/accounts/stored-accounts.ts'

const permissions = createPermissions(fixtureGroups)

const accountIn = (groups: string[] | undefined, passwordHash?: string): Account | undefined =>
  groups && {
    email: 'ann@example.com',
    playerId: '00000000-0000-4000-8000-000000000001',
    displayName: 'Ann',
    groups,
    createdAt: '2025-12-01T00:00:00.000Z',
    ...(passwordHash === undefined ? {} : { passwordHash }),
  }

type Row = readonly [actor: string[], before: string[] | undefined, after: string[] | undefined, allowed: boolean]

describe('changes of groups', () => {
  it.each<Row>([
    [['admin'], undefined, ['admin'], true],
    [['admin'], ['admin'], undefined, true],
    [['staff'], undefined, ['player'], true],
    [['staff'], undefined, ['staff'], true],
    [['staff'], undefined, [], true],
    [['staff'], undefined, ['admin'], false],
    [['staff'], undefined, ['config-writer'], false],
    [['staff'], ['player'], ['player', 'builder'], true],
    [['staff'], ['player'], ['player', 'config-writer'], false],
    [['staff'], ['player', 'config-writer'], ['player'], false],
    [['staff'], ['config-writer'], ['config-writer'], false],
    [['staff'], ['config-writer'], undefined, false],
    [['staff'], ['admin'], ['admin'], false],
    [['staff'], ['staff'], undefined, true],
    [['player'], ['player'], ['builder'], false],
    [['player'], ['player'], ['jailed'], true],
    [['staff'], ['no-such-group'], [], true],
    // A group counts as beyond the actor even if another group of the account denies what it grants.
    [['staff'], ['powerless'], ['powerless', 'config-writer'], false],
    [['staff'], ['powerless', 'config-writer'], ['powerless'], false],
    // Removing a group restores what the group denied.
    [['jailed', 'staff'], ['player', 'jailed'], ['player'], false],
    [['staff'], ['player', 'jailed'], ['player'], true],
    [['staff'], ['powerless', 'config-writer'], ['config-writer'], false],
  ])('an actor in %j turning %j into %j: %s', (actor, before, after, allowed) => {
    const act = () =>
      refuseBeyondOwn(permissions, permissions.rulesFor(actor), { before: accountIn(before), after: accountIn(after) })
    if (allowed) expect(act).not.toThrow()
    else expect(act).toThrow(expect.objectContaining({ kind: 'forbidden', slug: 'beyond-own-permissions' }))
  })

  it('names the group that exceeds the permissions of the actor', () => {
    const transition = { before: accountIn(['player']), after: accountIn(['player', 'admin']) }
    expect(() => refuseBeyondOwn(permissions, permissions.rulesFor(['staff']), transition)).toThrow(/"admin"/)
  })
})

describe('accounts that can administer', () => {
  it.each([
    [['admin'], someHash, true],
    [['staff'], someHash, true],
    [['admin'], undefined, false],
    [['admin'], 'a password in plain text', false],
    [['admin'], someHash.replace('$04$', '$31$'), false],
    [['player'], someHash, false],
    [['admin', 'powerless'], someHash, false],
    [['no-such-group'], someHash, false],
  ])('in %j with the hash %j: %s', (groups, hash, able) => {
    const account = accountIn(groups, hash)
    expect(account && canAdminister(permissions, account)).toBe(able)
    expect(account && canAdminister(permissions, account, 'identity-provider')).toBe(able)
  })

  it('include those with a subject or a password when an identity provider signs users in', () => {
    const account = { ...makeAccount('ann@example.com', 'admin'), subject: 'https://issuer.example|1' }
    expect(canAdminister(permissions, account)).toBe(false)
    expect(canAdminister(permissions, account, 'identity-provider')).toBe(true)
    expect(canAdminister(permissions, { ...account, groups: ['player'] }, 'identity-provider')).toBe(false)
  })
})

describe('the last administrator', () => {
  const me = 'ann@example.com'
  const admin = accountIn(['admin'], someHash)
  it.each([
    ['removed', [me], admin, undefined, false],
    ['demoted', [me], admin, accountIn(['player'], someHash), false],
    ['left without a password', [me], admin, accountIn(['admin']), false],
    ['weakened by another group', [me], admin, accountIn(['admin', 'powerless'], someHash), false],
    ['given another administrator role', [me], admin, accountIn(['staff'], someHash), true],
    ['renamed', [me], admin, accountIn(['admin'], someHash.replaceAll('x', 'y')), true],
    ['removed while another remains', [me, 'bob@example.com'], admin, undefined, true],
    ['removed while another account is the only administrator', ['bob@example.com'], accountIn(['player']), undefined, true],
    ['removed when neither it nor any other account could administer', [], accountIn(['player']), undefined, true],
  ])('may be %s with the administrators %j: the last column', (_what, administrators, before, after, allowed) => {
    const isAdministrator = (account: Account) => canAdminister(permissions, account)
    const context = { administrators: new Set(administrators), isAdministrator }
    const act = () => refuseLastAdministrator(context, { before, after }, () => false)
    if (allowed) expect(act).not.toThrow()
    else expect(act).toThrow(expect.objectContaining({ kind: 'conflict', slug: 'last-administrator' }))
  })
})

describe('a banned administrator', () => {
  const isAdministrator = (account: Account) => canAdminister(permissions, account)
  const context = { administrators: new Set(['ann@example.com', 'bob@example.com']), isAdministrator }
  const removal = { before: accountIn(['admin'], someHash), after: undefined }
  const remove = (banned: readonly string[]) => () => refuseLastAdministrator(context, removal, (email) => banned.includes(email))

  it('does not count as the last one, and can be removed while another remains', () => {
    expect(remove(['bob@example.com'])).toThrow(expect.objectContaining({ slug: 'last-administrator' }))
    for (const banned of [[], ['ann@example.com'], ['ann@example.com', 'bob@example.com']]) expect(remove(banned)).not.toThrow()
  })
})

describe('a grant that takes permissions away', () => {
  const grantOf = (group: string) => ({ id: group, group, by: 'x', at: '2025-01-01T00:00:00Z' })
  const jailed = {
    ...makeAccount('ann@example.com', 'admin'),
    grants: [{ ...grantOf('powerless'), until: '2999-01-01T00:00:00Z' }],
  }

  it('is ignored when the permissions of the account are compared with those of an actor', () => {
    const transition = { before: jailed, after: jailed }
    const act = (group: string) => () => refuseBeyondOwn(permissions, permissions.rulesFor([group]), transition)
    expect(act('staff')).toThrow(expect.objectContaining({ slug: 'beyond-own-permissions' }))
    expect(act('admin')).not.toThrow()
  })

  it('does not hide another grant in that comparison', () => {
    const both = { ...makeAccount('ann@example.com'), grants: [grantOf('config-writer'), grantOf('powerless')] }
    const act = () => refuseBeyondOwn(permissions, permissions.rulesFor(['staff']), { before: both, after: both })
    expect(act).toThrow(expect.objectContaining({ slug: 'beyond-own-permissions' }))
  })
})

describe('unknown groups', () => {
  it('are reported one by one', () => {
    expect(() => refuseUnknownGroups(permissions, ['player', 'nope', 'admin', 'neither'], [])).toThrow(
      expect.objectContaining({
        kind: 'unprocessable',
        slug: 'unknown-group',
        errors: [expect.objectContaining({ pointer: '/groups/1' }), expect.objectContaining({ pointer: '/groups/3' })],
      }),
    )
  })

  it('can stay if they are in the account already', () => {
    expect(() => refuseUnknownGroups(permissions, ['player', 'gone'], ['gone'])).not.toThrow()
  })
})
