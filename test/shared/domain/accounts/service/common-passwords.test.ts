import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createAccountService } from '../../../../../shared/domain/accounts/service/create-account-service.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import { type AccountFixture, createAccountFixture, operator, someHash } from '../../../../support/accounts/account-fixture.ts'

const password = 'password1'
const address = '192.0.2.1'
const refused = { kind: 'unprocessable', slug: 'common-password' }

describe('a common password', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())

  it('is refused for an account with admin permissions by group or grant, for any actor', async () => {
    const { accounts, plant } = fixture
    await expect(accounts.createAccount(operator, { email: 'a@example.com', password, groups: ['admin'] })).rejects.toMatchObject(
      refused,
    )
    await plant('b@example.com', { groups: ['admin'], passwordHash: someHash })
    await plant('c@example.com', {
      grants: [{ id: 'g', permission: 'admin.worlds.read', by: 'operator', at: '2026-01-01T00:00:00.000Z' }],
    })
    for (const email of ['b@example.com', 'c@example.com'])
      await expect(accounts.updateAccount(operator, email, { password })).rejects.toMatchObject(refused)
    const account = await accounts.getAccount('b@example.com')
    const own = accounts.setOwnPassword({ account, next: password, address, requestId: 'r', pointer: '/next' })
    await expect(own).rejects.toMatchObject({ ...refused, errors: [{ pointer: '/next' }] })
  })

  it('is refused for the server claim and for an invitation of an administrator', async () => {
    const { accounts } = fixture
    await expect(accounts.claimAdministrator({ email: 'a@example.com', password, address }, 'r')).rejects.toMatchObject(refused)
    for (const email of ['a@example.com', 'a@example.com'])
      await expect(accounts.register({ email, password, address, groups: ['admin'] }, 'r')).rejects.toMatchObject(refused)
  })

  it('is accepted for an account of a player', async () => {
    const { accounts } = fixture
    expect(await accounts.register({ email: 'a@example.com', password, address }, 'r')).toBe(true)
    await accounts.createAccount(operator, { email: 'b@example.com', password })
    await accounts.updateAccount(operator, 'b@example.com', { password: '12345678' })
  })

  it('is marked, and prevents groups and grants of an administrator', async () => {
    const { accounts, accountStore } = fixture
    await accounts.createAccount(operator, { email: 'a@example.com', password })
    const find = async () => accountStore.findByEmail('a@example.com')
    expect(await find()).toMatchObject({ passwordKind: 'common' })
    await expect(accounts.addGroups(operator, 'a@example.com', ['admin'])).rejects.toMatchObject(refused)
    await expect(accounts.addGrant(operator, 'a@example.com', { group: 'admin' })).rejects.toMatchObject(refused)
    await accounts.updateAccount(operator, 'a@example.com', { password: 'jH4!xk09-quiet-otter' })
    expect(await find()).not.toHaveProperty('passwordKind')
    await accounts.addGroups(operator, 'a@example.com', ['admin'])
  })

  it('does not sign in an administrator when the mark cannot be stored', async () => {
    const { accounts, plant, accountStore } = fixture
    const full = new AppError('unavailable', 'storage-full', 'The disk is full.')
    const broken = createAccountService({ ...fixture, accountStore: { ...accountStore, change: () => Promise.reject(full) } })
    const player = await plant('a@example.com', { passwordHash: someHash })
    expect(await broken.renewPassword(player, password, address)).toBeUndefined()
    const admin = await plant('b@example.com', { groups: ['admin'], passwordHash: someHash })
    await expect(broken.renewPassword(admin, password, address)).rejects.toBe(full)
    expect(await accounts.renewPassword(admin, password, address)).toMatchObject({ passwordKind: 'common' })
    expect(fixture.published).toContainEqual(['account-changed', expect.objectContaining({ playerId: admin.playerId })])
  })
})
