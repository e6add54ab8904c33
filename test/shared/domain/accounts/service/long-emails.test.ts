import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLocalProvider } from '../../../../../shared/domain/auth/local-provider.ts'
import { type AccountFixture, createAccountFixture, operator, password } from '../../../../support/accounts/account-fixture.ts'

/** An email of 254 characters, valid in `users.yaml`, with 738 bytes. */
const email = `${'字'.repeat(242)}@example.com`
const refused = { kind: 'invalid', slug: 'bad-request', errors: [expect.objectContaining({ pointer: '/email' })] }
const origin = { address: '192.0.2.1', requestId: 'request-7' }
const vouched = { subject: 'https://issuer.example|1', email, emailVerified: true, displayName: 'Ann', claim: undefined }

describe('an email of 254 characters in more than 254 bytes', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())
  const login = (requirePassword: boolean) =>
    createLocalProvider({ ...fixture, requirePassword: () => requirePassword }).login(email, password, origin)

  it('is refused for every kind of new account', async () => {
    const { accounts, accountStore } = fixture
    await expect(accounts.createAccount(operator, { email, password })).rejects.toMatchObject(refused)
    await expect(accounts.register({ address: '192.0.2.1', email, password }, 'request-7')).rejects.toMatchObject(refused)
    await expect(accounts.claimAdministrator({ address: '192.0.2.1', email, password }, 'request-7')).rejects.toMatchObject(
      refused,
    )
    await expect(login(false)).rejects.toMatchObject(refused)
    await expect(accounts.signInVouched({ ...vouched, isWelcome: true }, 'request-7')).rejects.toMatchObject({
      slug: 'account-not-allowed',
      cause: { message: expect.stringContaining('254 bytes') },
    })
    // With required passwords the answer is the same as for a wrong password.
    await expect(login(true)).rejects.toMatchObject({ slug: 'invalid-credentials' })
    expect((await accountStore.listAccounts({ limit: 10 })).accounts).toEqual([])
  })

  it('keeps working for an existing account: sign-in, change, join, claim and removal', async () => {
    const { accounts, plant, passwords } = fixture
    const account = await plant(email, { displayName: 'Ann', passwordHash: await passwords.hash(password, '192.0.2.1') })
    expect(await login(false)).toEqual({ account, verified: true })
    expect(await login(true)).toEqual({ account, verified: true })
    expect(await accounts.addGroups(operator, email, ['builder'])).toMatchObject({ groups: ['player', 'builder'] })
    expect(await accounts.claimAdministrator({ address: '192.0.2.1', email, password }, 'request-7')).toMatchObject({
      playerId: account.playerId,
    })
    expect(await accounts.signInVouched({ ...vouched, isWelcome: true }, 'request-7')).toMatchObject({ subject: vouched.subject })
    expect(await accounts.getAccount(email)).toMatchObject({ playerId: account.playerId, subject: vouched.subject })
    await plant('boss@example.com', { groups: ['admin'], passwordHash: await passwords.hash(password, '192.0.2.1') })
    await accounts.removeAccount(operator, email)
    await expect(accounts.getAccount(email)).rejects.toMatchObject({ kind: 'not-found' })
  })
})
