import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { hashSync } from 'bcryptjs'
import { createLocalProvider } from '../../../../shared/domain/auth/local-provider.ts'
import { describeAuthProvider } from '../../../contracts/auth-provider-contract.ts'
import { type AccountFixture, createAccountFixture, operator, password } from '../../../support/accounts/account-fixture.ts'

const email = 'ann@example.com'
const origin = { address: '192.0.2.1', requestId: 'request-7' }

describeAuthProvider('local, with passwords required', 'password', async () => {
  const fixture = await createAccountFixture()
  const { playerId } = await fixture.accounts.createAccount(operator, { email, password })
  const provider = createLocalProvider({ ...fixture, requirePassword: () => true })
  return { provider, known: { email, password, playerId }, close: fixture.close }
})

describe('the local provider', () => {
  let fixture: AccountFixture
  let required: boolean
  /** The hash used in each comparison. */
  let compared: (string | undefined)[]
  beforeEach(async () => {
    fixture = await createAccountFixture()
    compared = []
  })
  afterEach(() => fixture.close())

  const login = (text: string, secret: string, displayName?: string) => {
    const { accountStore, accounts, passwords } = fixture
    const prove = (shown: string, hash: string | undefined) => {
      compared.push(hash)
      return passwords.prove(shown, hash, '192.0.2.1')
    }
    const provider = createLocalProvider({ accountStore, accounts, passwords: { prove }, requirePassword: () => required })
    return provider.login(text, secret, { ...origin, ...(displayName !== undefined && { displayName }) })
  }
  const refused = { kind: 'unauthenticated', slug: 'invalid-credentials' }

  describe('with optional passwords', () => {
    beforeEach(() => {
      required = false
    })

    it('signs in a known email with any password, verified only with the right one', async () => {
      const account = await fixture.accounts.createAccount(operator, { email, password })
      expect(await login(' ANN@example.com', 'anything')).toEqual({ account, verified: false })
      expect(await login(email, '')).toEqual({ account, verified: false })
      expect(await login(email, 'x'.repeat(5000))).toEqual({ account, verified: false })
      expect(await login(email, password)).toEqual({ account, verified: true })
    })

    it('gives a new account the chosen name, and compares as many hashes as without a name', async () => {
      const made = await login(email, password, 'Ann Lee')
      expect(made).toMatchObject({ account: { displayName: 'Ann Lee' }, verified: false })
      expect(await login(email, password, 'Bob')).toEqual(made)
      required = true
      await expect(login('nobody@example.com', password, 'Bob')).rejects.toMatchObject(refused)
      expect(compared).toEqual([undefined])
    })

    it('signs in an account without a password as unverified, and compares nothing', async () => {
      const account = await fixture.plant(email)
      expect(await login(email, password)).toEqual({ account, verified: false })
      expect(compared).toEqual([])
    })

    it('creates an account for an unknown email, in the default groups and without a password', async () => {
      const { account, verified } = await login(email, password)
      expect(verified).toBe(false)
      expect(account).toMatchObject({ email, groups: ['player'] })
      expect(await fixture.accountStore.findByEmail(email)).toEqual(account)
      expect(account).not.toHaveProperty('passwordHash')
      expect(compared).toEqual([])
    })

    it('uses the password of an account that another process added after the first read', async () => {
      const account = await fixture.accounts.createAccount(operator, { email, password })
      const behind = { findByEmail: async () => undefined }
      const provider = createLocalProvider({ ...fixture, accountStore: behind, requirePassword: () => false })
      expect(await provider.login(email, password, origin)).toEqual({ account, verified: true })
      expect(await provider.login(email, 'wrong', origin)).toEqual({ account, verified: false })
    })

    it('creates one account for a thousand concurrent first sign-ins of an email', async () => {
      const signedIn = await Promise.all(Array.from({ length: 1000 }, () => login(email, '')))
      expect(new Set(signedIn.map(({ account }) => account.playerId)).size).toBe(1)
      expect((await fixture.accountStore.listAccounts({ limit: 200 })).accounts).toHaveLength(1)
    })
  })

  describe('with required passwords', () => {
    beforeEach(() => {
      required = true
    })

    it('makes one comparison, with or without an account or hash', async () => {
      const { passwordHash } = await fixture.accounts.createAccount(operator, { email, password })
      await fixture.plant('without@example.com')
      for (const text of [email, 'without@example.com', 'nobody@example.com'])
        await expect(login(text, 'not the password')).rejects.toMatchObject(refused)
      expect(compared).toEqual([passwordHash, undefined, undefined])
    })
  })

  it('applies another setting at the next sign-in', async () => {
    required = false
    await login(email, '')
    required = true
    await expect(login(email, '')).rejects.toMatchObject(refused)
  })

  it('replaces a hash of another cost once, however many sign in at that moment', async () => {
    required = true
    const passwordHash = hashSync(password, 5)
    const { playerId } = await fixture.plant(email, { passwordHash })
    const answers = await Promise.all([login(email, password), login(email, password), login(email, password)])
    const stored = await fixture.accounts.getAccount(email)
    expect(stored.passwordHash).toMatch(/^\$2b\$04\$/)
    expect(answers).toEqual(answers.map(() => ({ account: stored, verified: true })))
    expect(await login(email, password)).toEqual({ account: { ...stored, playerId }, verified: true })
    expect(await fixture.listAudit()).toEqual([])
    await expect(login(email, 'not the password')).rejects.toMatchObject(refused)
  })

  it('accepts a password in its earlier Unicode form, and replaces the hash', async () => {
    required = true
    await fixture.plant(email, { passwordHash: hashSync('pa\u0308sswort', 4) })
    await expect(login(email, 'p\u00e4sswort')).rejects.toMatchObject(refused)
    expect(await login(email, 'pa\u0308sswort')).toMatchObject({ verified: true })
    expect(await login(email, 'p\u00e4sswort')).toMatchObject({ verified: true })
  })
})
