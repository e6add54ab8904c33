import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createAccountService } from '../../../../../shared/domain/accounts/service/create-account-service.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import {
  type AccountFixture,
  createAccountFixture,
  operator,
  password,
  someHash,
} from '../../../../support/accounts/account-fixture.ts'

const email = 'ann@example.com'
const grantOf = (playerId: string) => ({ playerId, verified: true, signInId: 'one', signedInAt: 0 })

describe('updating an account', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('changes the given fields and keeps the rest', async () => {
    const before = await fixture.plant(email, { passwordHash: 'a hash', subject: 'issuer sub' })
    const after = await fixture.accounts.updateAccount(operator, 'ANN@example.com', { displayName: 'Ann', groups: ['builder'] })
    expect(after).toEqual({ ...before, displayName: 'Ann', groups: ['builder'] })
    expect(await fixture.accounts.getAccount(email)).toEqual(after)
    expect(await fixture.listAudit()).toEqual([
      expect.objectContaining({
        action: 'account.update',
        before: expect.objectContaining({ displayName: 'ann', groups: ['player'] }),
        after: expect.not.objectContaining({ passwordChanged: true }),
      }),
    ])
    expect(fixture.published).toEqual([['account-changed', { playerId: before.playerId, email }]])
  })

  it('writes, audits and announces nothing when nothing changes', async () => {
    await fixture.plant(email)
    const version = await fixture.accountStore.version()
    await fixture.accounts.updateAccount(operator, email, { displayName: 'ann', groups: ['player'] })
    await fixture.accounts.updateAccount(operator, email, {})
    expect(await fixture.accountStore.version()).toBe(version)
    expect(await fixture.listAudit()).toEqual([])
    expect(fixture.published).toEqual([])
  })

  it('revokes the tokens with a new password, and audits only that it changed', async () => {
    const { playerId } = await fixture.plant(email)
    const token = await fixture.tokens.issue(grantOf(playerId))
    const other = await fixture.tokens.issue(grantOf('00000000-0000-4000-8000-00000000000b'))
    const after = await fixture.accounts.updateAccount(operator, email, { password })
    expect(await fixture.passwords.verify(password, after.passwordHash, '192.0.2.1')).toBe(true)
    expect(await fixture.tokens.find(token)).toBeUndefined()
    expect(await fixture.tokens.find(other)).toBeDefined()
    const [entry] = await fixture.listAudit()
    expect(entry).toMatchObject({ before: { hasPassword: false }, after: { hasPassword: true, passwordChanged: true } })
    expect(JSON.stringify(entry)).not.toMatch(/\$2|correct horse/)
  })

  it('changes no password while tokens cannot be revoked', async () => {
    const before = await fixture.plant(email)
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))
    const accounts = createAccountService({ ...fixture, tokens: { ping: away, revokeAccount: away, endAccount: away } })
    await expect(accounts.updateAccount(operator, email, { password })).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await fixture.accounts.getAccount(email)).toEqual(before)
  })

  it('fails when the password is stored but tokens cannot be revoked', async () => {
    await fixture.plant(email)
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))
    const accounts = createAccountService({
      ...fixture,
      tokens: { ping: async () => undefined, revokeAccount: away, endAccount: away },
    })
    await expect(accounts.updateAccount(operator, email, { password })).rejects.toMatchObject({ kind: 'unavailable' })
    expect(fixture.published).toHaveLength(1)
  })

  it.each([
    ['a missing account', 'nobody@example.com', {}, 'not-found', 'not-found'],
    ['an invalid email', 'nobody', {}, 'not-found', 'not-found'],
    ['an unknown group', email, { groups: ['nope'] }, 'unprocessable', 'unknown-group'],
    ['an empty name', email, { displayName: ' ' }, 'invalid', 'bad-request'],
    ['a password too short', email, { password: '1234567' }, 'invalid', 'bad-request'],
  ])('refuses %s', async (_what, target, patch, kind, slug) => {
    const before = await fixture.plant(email)
    await expect(fixture.accounts.updateAccount(operator, target, patch)).rejects.toMatchObject({ kind, slug })
    expect(await fixture.accounts.getAccount(email)).toEqual(before)
  })

  it('keeps a deleted group, but does not add one', async () => {
    await fixture.plant(email, { groups: ['gone'] })
    const unchanged = await fixture.accounts.updateAccount(operator, email, { groups: ['gone', 'player'] })
    expect(unchanged.groups).toEqual(['gone', 'player'])
    const left = await fixture.accounts.updateAccount(operator, email, { groups: ['player'] })
    expect(left.groups).toEqual(['player'])
    await expect(fixture.accounts.updateAccount(operator, email, { groups: ['gone'] })).rejects.toMatchObject({
      slug: 'unknown-group',
      errors: [{ pointer: '/groups/0', message: expect.any(String) }],
    })
  })

  it.each([{ displayName: 'Mallory' }, { groups: ['player'] }, { password: 'a new password' }, {}])(
    'refuses changes of an account beyond the actor: %j',
    async (patch) => {
      const { accounts, actorIn, plant, tokens } = fixture
      const boss = await plant('boss@example.com', { groups: ['admin'], passwordHash: someHash })
      const token = await tokens.issue(grantOf(boss.playerId))
      await expect(accounts.updateAccount(actorIn('staff'), 'boss@example.com', patch)).rejects.toMatchObject({
        kind: 'forbidden',
        slug: 'beyond-own-permissions',
      })
      expect(await accounts.getAccount('boss@example.com')).toEqual(boss)
      expect(await tokens.find(token)).toBeDefined()
    },
  )
})

describe('adding and removing groups', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('loses no group in concurrent additions', async () => {
    await fixture.plant(email, { groups: [] })
    const names = ['player', 'builder', 'staff', 'jailed']
    await Promise.all(names.map((name) => fixture.accounts.addGroups(operator, email, [name])))
    expect((await fixture.accounts.getAccount(email)).groups.toSorted()).toEqual(names.toSorted())
  })

  it('refuses missing groups, an empty list, and groups beyond the actor', async () => {
    const { accounts, actorIn, plant } = fixture
    const before = await plant(email, { groups: ['player', 'config-writer'] })
    for (const change of [accounts.addGroups, accounts.removeGroups]) {
      await expect(change(operator, email, ['player', 'nope'])).rejects.toMatchObject({
        slug: 'unknown-group',
        errors: [{ pointer: '/groups/1', message: expect.any(String) }],
      })
      await expect(change(operator, email, [])).rejects.toMatchObject({ kind: 'invalid' })
      await expect(change(operator, 'nobody@example.com', ['player'])).rejects.toMatchObject({ kind: 'not-found' })
    }
    const beyond = { slug: 'beyond-own-permissions' }
    await plant('bob@example.com')
    await expect(accounts.addGroups(actorIn('staff'), 'bob@example.com', ['config-writer'])).rejects.toMatchObject(beyond)
    await expect(accounts.removeGroups(actorIn('staff'), email, ['config-writer'])).rejects.toMatchObject(beyond)
    expect(await accounts.getAccount(email)).toEqual(before)
  })
})
