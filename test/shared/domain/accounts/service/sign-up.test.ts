import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type AccountFixture, createAccountFixture, password } from '../../../../support/accounts/account-fixture.ts'

const email = 'ann@example.com'

describe('signing up', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('creates an account in the default groups, without a password', async () => {
    const account = await fixture.accounts.signUp(email, 'request-7')
    expect(account).toMatchObject({ email, displayName: 'ann', groups: ['player'] })
    expect(account).not.toHaveProperty('passwordHash')
    expect(await fixture.listAudit()).toEqual([
      expect.objectContaining({ actor: email, target: email, action: 'account.create', via: 'http', requestId: 'request-7' }),
    ])
  })

  it('creates one account for a thousand concurrent first sign-ins', async () => {
    const made = await Promise.all(Array.from({ length: 1000 }, () => fixture.accounts.signUp(email, 'request-7')))
    expect(new Set(made.map(({ playerId }) => playerId)).size).toBe(1)
    expect(await fixture.listAudit()).toHaveLength(1)
    expect(fixture.published).toHaveLength(1)
  })
})

describe('claiming the administrator account', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('creates the first administrator', async () => {
    expect(await fixture.accounts.hasAdministrator()).toBe(false)
    const account = await fixture.accounts.claimAdministrator(
      { address: '192.0.2.1', email, password, displayName: 'Ann' },
      'request-7',
    )
    expect(account).toMatchObject({ email, displayName: 'Ann', groups: ['player', 'admin'] })
    expect(await fixture.passwords.verify(password, account.passwordHash, '192.0.2.1')).toBe(true)
    expect(await fixture.accounts.hasAdministrator()).toBe(true)
    expect(await fixture.listAudit()).toEqual([expect.objectContaining({ actor: email, action: 'account.claim' })])
  })

  it('promotes an existing account, and revokes its tokens', async () => {
    const { accounts, tokens, plant } = fixture
    const before = await plant(email, { groups: ['builder'], displayName: 'Ann Lee' })
    const token = await tokens.issue({ playerId: before.playerId, verified: false, signInId: 'one', signedInAt: 0 })
    const after = await accounts.claimAdministrator({ address: '192.0.2.1', email, password }, 'request-7')
    expect(after).toEqual({ ...before, groups: ['builder', 'admin'], passwordHash: expect.any(String) })
    expect(await tokens.find(token)).toBeUndefined()
  })

  it('keeps nothing of an identity that signed in earlier under that email, verified or not', async () => {
    const { accounts, plant } = fixture
    const planted = {
      subject: 'https://issuer.example|squatter',
      groups: ['player', 'builder'],
      mappedGroups: ['builder'],
      claimedGroups: ['/builders'],
    }
    const { playerId } = await plant(email, planted)
    const account = await accounts.claimAdministrator({ address: '192.0.2.1', email, password }, 'request-7')
    expect(account).toMatchObject({ playerId, groups: ['player', 'admin'] })
    for (const key of ['subject', 'mappedGroups', 'claimedGroups']) expect(account).not.toHaveProperty(key)
    const squatter = { subject: planted.subject, email, emailVerified: false, displayName: 'Ann' }
    await expect(accounts.signInVouched({ ...squatter, claim: undefined, isWelcome: true }, 'request-8')).rejects.toMatchObject({
      kind: 'forbidden',
      slug: 'account-not-allowed',
    })
    expect(await accounts.getAccount(email)).toEqual(account)
  })

  it('removes groups that take administration rights away', async () => {
    await fixture.plant(email, { groups: ['powerless'] })
    expect((await fixture.accounts.claimAdministrator({ address: '192.0.2.1', email, password }, 'request-7')).groups).toEqual([
      'admin',
    ])
    expect(await fixture.accounts.hasAdministrator()).toBe(true)
  })

  it('succeeds for one of many concurrent claims, and never again', async () => {
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) =>
        fixture.accounts.claimAdministrator({ address: '192.0.2.1', email: `${name}@example.com`, password }, 'request-7'),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await fixture.accountStore.listAdministrators()).toHaveLength(1)
    await expect(
      fixture.accounts.claimAdministrator({ address: '192.0.2.1', email, password }, 'request-7'),
    ).rejects.toMatchObject({
      kind: 'conflict',
      slug: 'already-claimed',
    })
    expect(await fixture.accountStore.findByEmail(email)).toBeUndefined()
  })
})

describe('a popular name', () => {
  it('gets a free number, however many accounts have it', async () => {
    const fixture = await createAccountFixture()
    const names = new Set<string>()
    for (let n = 0; n < 60; n += 1) names.add((await fixture.accounts.signUp(`sam@d${n}.example`, 'request')).displayName)
    expect(names.size).toBe(60)
    await fixture.close()
  })
})
