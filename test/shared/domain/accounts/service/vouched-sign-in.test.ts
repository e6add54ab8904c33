import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createVouchedSignIn, type VouchedIdentity } from '../../../../../shared/domain/accounts/service/vouched-sign-in.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import {
  type AccountFixture,
  createAccountFixture,
  operator,
  password,
  someHash,
} from '../../../../support/accounts/account-fixture.ts'
import { createCapturedLog } from '../../../../support/time/silent-log.ts'

const notAllowed = { kind: 'forbidden', slug: 'account-not-allowed' }
const notAllowedFor = (why: RegExp) => ({ ...notAllowed, cause: { message: expect.stringMatching(why) } })
const ann: VouchedIdentity = {
  subject: 'https://issuer.example|1',
  email: 'Ann@Example.com',
  emailVerified: true,
  displayName: 'Ann',
  claim: undefined,
  isWelcome: true,
}
const claim = (...groups: string[]) => ({ values: groups.map((name) => `/${name}`), groups })

describe('signInVouched', () => {
  let fixture: AccountFixture
  beforeEach(async () => {
    fixture = await createAccountFixture()
  })
  afterEach(() => fixture.close())
  const signIn = (identity: Partial<VouchedIdentity> = {}) => {
    // The audit log is sorted by time.
    fixture.clock.advance(1)
    return fixture.accounts.signInVouched({ ...ann, ...identity }, 'request-7')
  }
  const listAccounts = async () => (await fixture.accountStore.listAccounts({ limit: 200 })).accounts

  describe('the first time', () => {
    it('creates an account in the default groups, audited and announced', async () => {
      const account = await signIn()
      expect(account).toMatchObject({ email: 'ann@example.com', displayName: 'Ann', groups: ['player'], subject: ann.subject })
      expect(await listAccounts()).toEqual([account])
      expect(await fixture.listAudit('ann@example.com')).toMatchObject([
        {
          action: 'account.create',
          actor: 'ann@example.com',
          via: 'http',
          requestId: 'request-7',
          before: null,
          after: { displayName: 'Ann', subject: ann.subject },
        },
      ])
      expect(fixture.published).toEqual([['account-changed', { playerId: account.playerId, email: 'ann@example.com' }]])
    })

    it('creates one account for many concurrent sign-ins, with any emails', async () => {
      const emails = ['a@example.com', 'b@example.com', 'c@example.com']
      const accounts = await Promise.all(Array.from({ length: 60 }, (_, at) => signIn({ email: emails[at % 3] })))
      expect(new Set(accounts.map(({ playerId }) => playerId)).size).toBe(1)
      expect(await listAccounts()).toHaveLength(1)
    })

    it('gives a free name when the provider sends a taken one or a look-alike', async () => {
      await fixture.plant('boss@example.com', { displayName: 'Boss' })
      expect(await signIn({ displayName: 'Bоss' })).toMatchObject({ displayName: 'Bоss2' })
    })

    it('accepts an unverified email without an account', async () => {
      expect(await signIn({ emailVerified: false })).toMatchObject({ email: 'ann@example.com' })
    })

    it.each([undefined, '', 'ann', 'ann@', '@example.com', `${'a'.repeat(300)}@example.com`])(
      'refuses an identity without a valid email: %j',
      async (email) => {
        await expect(signIn({ email })).rejects.toMatchObject({
          ...notAllowedFor(/sent no email/),
          publicDetail: /email address/,
        })
        expect(await listAccounts()).toEqual([])
      },
    )

    it.each([
      [undefined, 'ann'],
      ['', 'ann'],
      ['\u202e\u0000', 'ann'],
      ['  Zoë  ', 'Zoë'],
      ['x'.repeat(100), 'x'.repeat(32)],
      [`${'x'.repeat(31)}  y`, 'x'.repeat(31)],
    ])('names the account by the provider’s name, as far as it fits: %j', async (displayName, shown) => {
      expect(await signIn({ displayName })).toMatchObject({ displayName: shown })
    })
  })

  describe('with an account of that email', () => {
    it('joins it when the email is verified: keeps groups, name and password, revokes its tokens', async () => {
      const { tokens, accounts, listAudit } = fixture
      const before = await accounts.createAccount(operator, { email: 'ann@example.com', password, groups: ['builder'] })
      const token = await tokens.issue({ playerId: before.playerId, verified: false, signInId: 's', signedInAt: 0 })
      expect(await signIn()).toEqual({ ...before, subject: ann.subject })
      expect(await tokens.find(token)).toBeUndefined()
      expect((await listAudit('ann@example.com'))[0]).toMatchObject({
        action: 'account.link',
        before: { email: 'ann@example.com', subject: null },
        after: { email: 'ann@example.com', subject: ann.subject },
      })
      expect(await listAccounts()).toHaveLength(1)
    })

    it('refuses an unverified email with the same message as any account, and changes nothing', async () => {
      const planted = await fixture.plant('ann@example.com')
      const refusal = await signIn({ emailVerified: false }).catch((error: unknown) => error)
      expect(refusal).toMatchObject(notAllowedFor(/not verified/))
      expect(Object(refusal).publicDetail).not.toMatch(/exist|email/)
      expect(await listAccounts()).toEqual([planted])
      expect(fixture.published).toEqual([])
    })

    it('joins no account while its tokens cannot be revoked', async () => {
      const planted = await fixture.plant('ann@example.com')
      const away = new AppError('unavailable', 'service-unavailable', 'away')
      const ping = async () => {
        throw away
      }
      const signInAway = createVouchedSignIn({ ...fixture, tokens: { ...fixture.tokens, ping } })
      await expect(signInAway(ann, 'request-7')).rejects.toBe(away)
      expect(await listAccounts()).toEqual([planted])
    })

    it('revokes its tokens even if the change cannot be announced', async () => {
      const { playerId } = await fixture.plant('ann@example.com')
      const token = await fixture.tokens.issue({ playerId, verified: false, signInId: 's', signedInAt: 0 })
      const publish = async () => {
        throw new Error('no listener')
      }
      const signInUntold = createVouchedSignIn({ ...fixture, events: { publish } })
      await expect(signInUntold(ann, 'request-7')).rejects.toThrow('no listener')
      expect(await fixture.tokens.find(token)).toBeUndefined()
    })

    it.each(['an\u212an@example.com', 'ann@\u212aelvin.example'])(
      'treats %j as different from the ASCII address',
      async (told) => {
        const planted = await fixture.plant(told.toLowerCase())
        expect(planted.email).toMatch(/^[\0-\x7f]+$/)
        await expect(signIn({ email: told })).rejects.toMatchObject(notAllowed)
        expect(await listAccounts()).toEqual([planted])
      },
    )

    it('joins by a verified email in any letter case and script', async () => {
      await fixture.plant('zoë.ж@example.com')
      expect(await signIn({ email: ' ZOË.Ж@Example.COM ' })).toMatchObject({ email: 'zoë.ж@example.com', subject: ann.subject })
    })

    it('refuses another subject, verified or not, so that no one takes an account over', async () => {
      const first = await signIn()
      await expect(signIn({ subject: 'https://issuer.example|2' })).rejects.toMatchObject(notAllowedFor(/another identity/))
      await expect(signIn({ subject: 'https://other.example|1' })).rejects.toMatchObject(notAllowedFor(/another identity/))
      expect(await listAccounts()).toEqual([first])
    })
  })

  describe('a later time', () => {
    it('finds the account by its subject, with any current email and name', async () => {
      const first = await signIn()
      expect(await signIn({ email: 'new@example.com', displayName: 'Anna' })).toEqual(first)
      expect(await signIn({ email: undefined, emailVerified: false })).toEqual(first)
      expect(await listAccounts()).toEqual([first])
    })

    it('keeps the account of a subject when another account has its new email', async () => {
      const first = await signIn()
      const bob = await fixture.plant('bob@example.com')
      expect(await signIn({ email: 'bob@example.com' })).toEqual(first)
      expect(await fixture.accountStore.findByEmail('bob@example.com')).toEqual(bob)
    })

    it('writes, audits and announces nothing without changes', async () => {
      await signIn({ claim: claim('builder') })
      const before = [await fixture.accountStore.version(), fixture.published.length]
      await signIn({ claim: claim('builder') })
      expect([await fixture.accountStore.version(), fixture.published.length]).toEqual(before)
    })

    it('creates a new account after the old one was removed', async () => {
      const first = await signIn()
      await fixture.accounts.removeAccount(operator, 'ann@example.com')
      expect((await signIn()).playerId).not.toBe(first.playerId)
    })
  })

  describe('groups', () => {
    it('are the ones granted here plus the ones mapped now; a change is audited and announced', async () => {
      await signIn({ claim: claim('builder') })
      await fixture.accounts.addGroups(operator, 'ann@example.com', ['staff'])
      fixture.published.length = 0
      expect(await signIn({ claim: claim('jailed') })).toMatchObject({ groups: ['player', 'staff', 'jailed'] })
      expect(fixture.published).toMatchObject([['account-changed', { email: 'ann@example.com' }]])
      expect((await fixture.listAudit('ann@example.com'))[0]).toMatchObject({
        action: 'account.update',
        before: { groups: ['player', 'builder', 'staff'] },
        after: { groups: ['player', 'staff', 'jailed'] },
      })
    })

    it('stay granted when an administrator grants a mapped one', async () => {
      await signIn({ claim: claim('builder') })
      await fixture.accounts.addGroups(operator, 'ann@example.com', ['builder'])
      expect(await signIn({ claim: claim() })).toMatchObject({ groups: ['player', 'builder'] })
    })

    it('return at the next sign-in when an administrator removes a mapped one', async () => {
      await signIn({ claim: claim('builder') })
      await fixture.accounts.removeGroups(operator, 'ann@example.com', ['builder'])
      expect(await fixture.accountStore.findByEmail('ann@example.com')).not.toHaveProperty('mappedGroups')
      expect(await signIn({ claim: claim('builder') })).toMatchObject({ groups: ['player', 'builder'] })
    })

    it('keep nothing of a removed mapping', async () => {
      await signIn({ claim: claim('builder', 'admin') })
      const account = await signIn({ claim: undefined })
      expect(account.groups).toEqual(['player'])
      expect(account).not.toHaveProperty('mappedGroups')
    })

    it('are removed even if they made the last administrator, with a log entry', async () => {
      const { log, lines } = createCapturedLog()
      const signInLogged = createVouchedSignIn({ ...fixture, log })
      const account = await signIn({ claim: claim('admin') })
      await fixture.accountStore.change(account.email, () => ({
        next: { ...account, passwordHash: someHash },
        result: undefined,
      }))
      expect(await fixture.accounts.hasAdministrator()).toBe(true)
      expect((await signInLogged({ ...ann, claim: claim() }, 'request-8')).groups).toEqual(['player'])
      expect(lines).toMatchObject([{ playerId: account.playerId, msg: expect.stringContaining('last administrator') }])
      await signInLogged({ ...ann, claim: claim('builder') }, 'request-9')
      expect(lines).toHaveLength(1)
    })
  })

  describe('a refused user', () => {
    it('gets no account, joins none, and loses mapped groups', async () => {
      await expect(signIn({ isWelcome: false, claim: claim() })).rejects.toMatchObject(notAllowedFor(/denyUnmapped/))
      expect(await listAccounts()).toEqual([])
      const planted = await fixture.plant('ann@example.com')
      await expect(signIn({ isWelcome: false, claim: claim() })).rejects.toMatchObject(notAllowedFor(/denyUnmapped/))
      expect(await listAccounts()).toEqual([planted])
      await signIn({ claim: claim('builder') })
      await expect(signIn({ isWelcome: false, claim: claim() })).rejects.toMatchObject(notAllowedFor(/denyUnmapped/))
      expect(await listAccounts()).toMatchObject([{ email: 'ann@example.com', groups: ['player'], subject: ann.subject }])
    })
  })
})
