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

describe('removing an account', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('revokes its tokens, audits and announces it', async () => {
    const { playerId } = await fixture.plant(email)
    const token = await fixture.tokens.issue({ playerId, verified: true, signInId: 'one', signedInAt: 0 })
    await fixture.accounts.removeAccount(operator, 'Ann@Example.com')
    await expect(fixture.accounts.getAccount(email)).rejects.toMatchObject({ kind: 'not-found', slug: 'not-found' })
    expect(await fixture.tokens.find(token)).toBeUndefined()
    expect(await fixture.listAudit(email)).toEqual([
      expect.objectContaining({ action: 'account.delete', before: expect.objectContaining({ playerId }), after: null }),
    ])
    expect(fixture.published).toEqual([['account-removed', { playerId, email }]])
  })

  it('leaves no usable token when tokens cannot be revoked, even if the email is used again', async () => {
    const { playerId } = await fixture.plant(email)
    const token = await fixture.tokens.issue({ playerId, verified: true, signInId: 'one', signedInAt: 0 })
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))
    const accounts = createAccountService({ ...fixture, tokens: { ping: away, revokeAccount: away, endAccount: away } })
    await accounts.removeAccount(operator, email)
    const again = await fixture.accounts.createAccount(operator, { email, password })
    const grant = await fixture.tokens.find(token)
    expect(grant?.playerId).toBe(playerId)
    expect(await fixture.accountStore.findByPlayerId(playerId)).toBeUndefined()
    expect(again.playerId).not.toBe(playerId)
  })

  it('refuses a missing account, and one beyond the actor', async () => {
    const { accounts, actorIn, plant } = fixture
    const boss = await plant('boss@example.com', { groups: ['admin'], passwordHash: someHash })
    await plant('other@example.com', { groups: ['admin'], passwordHash: someHash })
    await expect(accounts.removeAccount(operator, email)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(accounts.removeAccount(operator, 'no email')).rejects.toMatchObject({ kind: 'not-found' })
    await expect(accounts.removeAccount(actorIn('staff'), 'boss@example.com')).rejects.toMatchObject({
      slug: 'beyond-own-permissions',
    })
    expect(await accounts.getAccount('boss@example.com')).toEqual(boss)
  })
})

describe('the last administrator', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  const last = { kind: 'conflict', slug: 'last-administrator' }

  it('can be neither removed nor demoted, but can get another password and name', async () => {
    const { accounts, plant } = fixture
    await plant(email, { groups: ['admin'], passwordHash: someHash })
    await plant('without-password@example.com', { groups: ['admin'] })
    await plant('unusable-password@example.com', { groups: ['admin'], passwordHash: 'plain text' })
    await expect(accounts.removeAccount(operator, email)).rejects.toMatchObject(last)
    await expect(accounts.updateAccount(operator, email, { groups: ['player'] })).rejects.toMatchObject(last)
    await expect(accounts.updateAccount(operator, email, { groups: ['admin', 'powerless'] })).rejects.toMatchObject(last)
    await expect(accounts.removeGroups(operator, email, ['admin'])).rejects.toMatchObject(last)
    await expect(accounts.addGroups(operator, email, ['powerless'])).rejects.toMatchObject(last)
    await accounts.updateAccount(operator, email, { displayName: 'Ann', password, groups: ['staff'] })
    expect(await accounts.hasAdministrator()).toBe(true)
  })

  it.each([
    ['removed', (_index: number) => true],
    ['demoted', (_index: number) => false],
    ['removed or demoted', (index: number) => index % 2 === 0],
  ])('remains, however many are %s at once', async (_what, isRemoved) => {
    const { accounts, accountStore, plant } = fixture
    const emails = Array.from({ length: 12 }, (_, index) => `admin-${index}@example.com`)
    for (const one of emails) await plant(one, { groups: ['admin'], passwordHash: someHash })
    const outcomes = await Promise.allSettled(
      emails.map((one, index) =>
        isRemoved(index) ? accounts.removeAccount(operator, one) : accounts.removeGroups(operator, one, ['admin']),
      ),
    )
    expect(await accountStore.listAdministrators()).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toEqual([expect.objectContaining(last)])
  })
})
