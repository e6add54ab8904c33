import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type AccountFixture, createAccountFixture, operator, password } from '../../../../support/accounts/account-fixture.ts'

describe('creating an account', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('stores the given values, with a hash in place of the password', async () => {
    const { accounts, accountStore, passwords } = fixture
    const account = await accounts.createAccount(operator, {
      email: ' Ann@Example.com ',
      password,
      displayName: ' Ann Lee ',
      groups: ['builder', 'player', 'builder'],
    })
    expect(account).toEqual({
      email: 'ann@example.com',
      playerId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      displayName: 'Ann Lee',
      groups: ['builder', 'player'],
      passwordHash: expect.stringMatching(/^\$2[aby]\$/),
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    expect(await accountStore.findByEmail('ann@example.com')).toEqual(account)
    expect(await passwords.verify(password, account.passwordHash, '192.0.2.1')).toBe(true)
  })

  it('takes the name from the local part, and adds the default groups unless groups are given', async () => {
    const account = await fixture.accounts.createAccount(operator, { email: 'ann@example.com', password })
    expect(account).toMatchObject({ displayName: 'ann', groups: ['player'] })
  })

  it('accepts default groups that do not exist', async () => {
    fixture.permissions.replace({ groups: [], defaultGroups: ['to-come'] })
    const account = await fixture.accounts.createAccount(operator, { email: 'ann@example.com', password })
    expect(account.groups).toEqual(['to-come'])
  })

  it('audits and announces it, without password and hash', async () => {
    const account = await fixture.accounts.createAccount(operator, { email: 'ann@example.com', password })
    const entries = await fixture.listAudit()
    expect(entries).toEqual([
      expect.objectContaining({
        actor: 'operator',
        action: 'account.create',
        target: 'ann@example.com',
        before: null,
        after: {
          email: 'ann@example.com',
          playerId: account.playerId,
          displayName: 'ann',
          groups: ['player'],
          hasPassword: true,
          createdAt: account.createdAt,
        },
        via: 'cli',
        requestId: 'request-1',
      }),
    ])
    expect(JSON.stringify(entries)).not.toMatch(/\$2|correct horse/)
    expect(fixture.published).toEqual([['account-changed', { playerId: account.playerId, email: 'ann@example.com' }]])
  })

  it.each([
    ['an invalid email', { email: 'ann', password }, 'invalid', 'bad-request'],
    ['a password too short', { email: 'b@example.com', password: 'short' }, 'invalid', 'bad-request'],
    ['a password too long', { email: 'b@example.com', password: 'x'.repeat(73) }, 'invalid', 'bad-request'],
    ['a name too long', { email: 'b@example.com', password, displayName: 'x'.repeat(33) }, 'invalid', 'bad-request'],
    ['an unknown group', { email: 'b@example.com', password, groups: ['nope'] }, 'unprocessable', 'unknown-group'],
    ['a taken email', { email: 'TAKEN@example.com', password }, 'conflict', 'already-exists'],
  ])('refuses %s and changes nothing', async (_what, input, kind, slug) => {
    const { accounts, accountStore, plant, published, listAudit } = fixture
    const taken = await plant('taken@example.com')
    await expect(accounts.createAccount(operator, input)).rejects.toMatchObject({ kind, slug })
    expect((await accountStore.listAccounts({ limit: 200 })).accounts).toEqual([taken])
    expect(published).toEqual([])
    expect(await listAudit()).toEqual([])
  })

  it('grants no group beyond the actor, not even a default one', async () => {
    const { accounts, accountStore, actorIn } = fixture
    const beyond = { kind: 'forbidden', slug: 'beyond-own-permissions' }
    const email = 'ann@example.com'
    await expect(
      accounts.createAccount(actorIn('staff'), { email, password, groups: ['player', 'admin'] }),
    ).rejects.toMatchObject(beyond)
    fixture.permissions.replace({
      groups: [{ name: 'staff', permissions: ['admin.users.write'] }],
      defaultGroups: ['admin'],
    })
    await expect(accounts.createAccount(actorIn('staff'), { email, password })).rejects.toMatchObject(beyond)
    expect(await accountStore.findByEmail(email)).toBeUndefined()
  })

  it('accepts one of many concurrent requests for an email', async () => {
    const attempts = Array.from({ length: 8 }, () =>
      fixture.accounts.createAccount(operator, { email: 'ann@example.com', password }),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'conflict', slug: 'already-exists' })
    expect(await fixture.listAudit()).toHaveLength(1)
  })
})
