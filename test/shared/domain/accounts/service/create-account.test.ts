import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type AccountFixture, createAccountFixture, operator, password } from '../../../../support/accounts/account-fixture.ts'

describe('creating an account', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

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
})
