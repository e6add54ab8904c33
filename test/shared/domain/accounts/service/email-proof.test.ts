import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type AccountFixture, createAccountFixture, operator, password } from '../../../../support/accounts/account-fixture.ts'

const email = 'ann@example.com'
const address = '192.0.2.1'
const identity = { email, displayName: 'Ann', claim: undefined, isWelcome: true }
const stranger = { ...identity, subject: 'issuer|stranger', emailVerified: false }
const owner = { ...identity, subject: 'issuer|owner', emailVerified: true }

describe('an account with an unproven email', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())
  const issue = (playerId: string) => fixture.tokens.issue({ playerId, verified: true, signInId: 's', signedInAt: 0 })

  it('moves to an identity that proves the email, without the old identity, password and tokens', async () => {
    const { accounts, tokens } = fixture
    const before = await accounts.signInVouched(stranger, 'r')
    const token = await issue(before.playerId)
    const taken = await accounts.signInVouched(owner, 'r')
    expect(taken).toEqual({ ...before, subject: owner.subject, emailProof: undefined })
    expect(taken).not.toHaveProperty('emailProof')
    expect(await tokens.find(token)).toBeUndefined()
    await expect(accounts.signInVouched(stranger, 'r')).rejects.toMatchObject({ slug: 'account-not-allowed' })
    await expect(accounts.signInVouched({ ...owner, subject: 'issuer|third' }, 'r')).rejects.toMatchObject({
      slug: 'account-not-allowed',
    })
  })

  it('loses a password that was registered before', async () => {
    await fixture.accounts.register({ email, password, address }, 'r')
    const taken = await fixture.accounts.signInVouched(owner, 'r')
    expect(taken.passwordHash).toBeUndefined()
  })

  it('stays with its identity once that proves the email', async () => {
    const { accounts } = fixture
    const { playerId } = await accounts.signInVouched(stranger, 'r')
    await accounts.signInVouched({ ...stranger, emailVerified: true }, 'r')
    expect(await accounts.getAccount(email)).not.toHaveProperty('emailProof')
    await expect(accounts.signInVouched(owner, 'r')).rejects.toMatchObject({ slug: 'account-not-allowed' })
    expect(await accounts.getAccount(email)).toMatchObject({ playerId, subject: stranger.subject })
  })

  it('loses its identity when an administrator sets a password, or a reset link is used', async () => {
    const { accounts } = fixture
    await accounts.signInVouched(stranger, 'r')
    const given = await accounts.updateAccount(operator, email, { password })
    expect([given.subject, given.emailProof]).toEqual([undefined, undefined])
    const other = await accounts.signInVouched({ ...stranger, email: 'bea@example.com', subject: 'issuer|2' }, 'r')
    await accounts.setOwnPassword({ account: other, next: password, address, requestId: 'r', provesEmail: true })
    expect(await accounts.getAccount('bea@example.com')).not.toHaveProperty('subject')
  })

  it('moves to an invited user, unless it has a password or grants of an administrator', async () => {
    const { accounts, tokens, plant } = fixture
    const register = (who: string) =>
      accounts.register({ email: who, password, address, groups: ['builder'], checkHeld: () => undefined }, 'r')
    const before = await accounts.signUp(email, 'r')
    const token = await issue(before.playerId)
    expect(await register(email)).toBe(true)
    expect(await accounts.getAccount(email)).toMatchObject({ playerId: before.playerId, groups: ['builder'] })
    expect(await accounts.getAccount(email)).not.toHaveProperty('emailProof')
    expect(await tokens.find(token)).toBeUndefined()
    await accounts.register({ email: 'bea@example.com', password, address }, 'r')
    await plant('carl@example.com', { emailProof: 'none', groups: ['player', 'builder'] })
    await plant('dan@example.com')
    for (const who of ['bea@example.com', 'carl@example.com', 'dan@example.com']) expect(await register(who)).toBe(false)
  })
})
