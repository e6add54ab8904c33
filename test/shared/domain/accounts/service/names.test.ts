import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type AccountFixture, createAccountFixture, operator, password } from '../../../../support/accounts/account-fixture.ts'

const taken = { kind: 'conflict', slug: 'display-name-taken' }
const vouched = { subject: 'issuer|1', emailVerified: true, claim: undefined, isWelcome: true }

describe('a taken display name', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
    await fixture.plant('ann@example.com', { displayName: 'Ann' })
  })
  afterEach(() => fixture.close())

  it('is refused for the server claim, which generates a free one when none is given', async () => {
    const { accounts } = fixture
    const claim = (displayName?: string) =>
      accounts.claimAdministrator(
        { address: '192.0.2.1', email: 'ann@example.org', password, ...(displayName && { displayName }) },
        'request-1',
      )
    await expect(claim('ANN')).rejects.toMatchObject(taken)
    await expect(claim('Operator')).rejects.toMatchObject(taken)
    expect(await claim()).toMatchObject({ displayName: 'ann2', groups: ['player', 'admin'] })
  })

  it('stays with an account that claims the server', async () => {
    await fixture.plant('twin@example.com', { displayName: 'ANN' })
    const claimed = fixture.accounts.claimAdministrator(
      { address: '192.0.2.1', email: 'twin@example.com', password },
      'request-1',
    )
    expect(await claimed).toMatchObject({ displayName: 'ANN' })
  })

  it('is refused at registration, as a reserved one is, with any email', async () => {
    for (const email of ['new@example.com', 'ann@example.com'])
      for (const displayName of ['aNN', 'system', '[Server]', 'Moderator', '(c.o.n.s.o.l.e)', '* ADM1N *'])
        await expect(
          fixture.accounts.register({ address: '192.0.2.1', email, password, displayName }, 'request-1'),
        ).rejects.toMatchObject(taken)
  })

  it('becomes a free one at a sign-in through an identity provider', async () => {
    const signIn = (who: string, displayName: string) =>
      fixture.accounts.signInVouched(
        { ...vouched, subject: `issuer|${who}`, email: `${who}@example.com`, displayName },
        'request-1',
      )
    expect(await signIn('one', 'Ann')).toMatchObject({ displayName: 'Ann2' })
    expect(await signIn('two', 'Admin')).toMatchObject({ displayName: 'Admin2' })
  })

  it('prevents the restore of a deleted account', async () => {
    const { accounts } = fixture
    const { playerId } = await fixture.plant('twin@example.com', { displayName: 'Twin' })
    await accounts.removeAccount(operator, 'twin@example.com')
    await accounts.updateAccount(operator, 'ann@example.com', { displayName: 'TWIN' })
    await expect(accounts.restoreAccount(operator, playerId)).rejects.toMatchObject(taken)
    await accounts.updateAccount(operator, 'ann@example.com', { displayName: 'Ann' })
    expect(await accounts.restoreAccount(operator, playerId)).toMatchObject({ displayName: 'Twin' })
  })

  it('is refused for an undo that would restore it', async () => {
    const { accounts } = fixture
    const was = { displayName: 'Ann', groups: ['player'] }
    await fixture.plant('twin@example.com', { displayName: 'Twin' })
    await expect(accounts.putBack(operator, 'twin@example.com', was)).rejects.toMatchObject(taken)
  })
})
