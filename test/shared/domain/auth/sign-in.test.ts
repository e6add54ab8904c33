import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createSignInLog, listSignIns } from '../../../../shared/domain/accounts/sign-in-log.ts'
import { createSignIn } from '../../../../shared/domain/auth/create-sign-in.ts'
import { createLocalProvider } from '../../../../shared/domain/auth/local-provider.ts'
import type { AuthProvider } from '../../../../shared/domain/auth/provider/provider.ts'
import { createMemoryRateLimiter, type RateLimiter } from '../../../../shared/platform/limits/rate-limiter.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createAccountFixture, operator, password } from '../../../support/accounts/account-fixture.ts'
import { createSanctions } from '../../../support/accounts/sanctions-in-memory.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'

const email = 'ann@example.com'
const origin = { address: '192.0.2.1', requestId: 'request-7' }
const hourMs = 3_600_000

const open = async (
  server: object = {},
  wrap: (provider: AuthProvider) => AuthProvider = (provider) => provider,
  limiter: RateLimiter = createMemoryRateLimiter(),
) => {
  const fixture = await createAccountFixture()
  const configs = createFixedConfigs({ server })
  const requirePassword = () => configs.get('server.yaml').auth.local.requirePassword
  const provider = wrap(createLocalProvider({ ...fixture, requirePassword }))
  const signIn = createSignIn({ ...fixture, configs, provider, limiter })
  return {
    ...fixture,
    signIn,
    close: async () => {
      await limiter.close()
      await fixture.close()
    },
  }
}
type Opened = Awaited<ReturnType<typeof open>>

describe('sign-in', () => {
  let opened: Opened
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  it('returns a token of the account, as verified as the provider reports', async () => {
    const { signIn, tokens, accounts, clock } = opened
    const { playerId } = await accounts.createAccount(operator, { email, password, displayName: 'Ann' })
    const verified = await signIn.login(' Ann@example.com', password, origin)
    expect(verified).toEqual({ token: expect.any(String), displayName: 'Ann', playerId, verified: true })
    expect(await tokens.find(verified.token)).toMatchObject({ playerId, verified: true, signedInAt: clock.now() })
    const unverified = await signIn.login(email, 'anything', origin)
    expect(unverified).toMatchObject({ playerId, verified: false })
    expect(await tokens.find(unverified.token)).toMatchObject({ playerId, verified: false })
  })

  it('through an identity provider tells a banned user the reason, and issues no token', async () => {
    const account = await opened.plant(email, { subject: 'https://issuer.example|1' })
    const [until, reason] = ['2999-01-01T00:00:00.000Z', 'griefing']
    const permissions = opened.permissions
    const { sanctions, activeSanctions } = createSanctions({ ...opened, permissions, store: createMemoryStore() })
    await sanctions.impose(operator, { kind: 'ban', email, reason, until })
    let isIssued = false
    const issue = async () => {
      isIssued = true
      return 'a token'
    }
    const provider = {
      ...createLocalProvider({ ...opened, requirePassword: () => true }),
      oauthCallback: async () => ({ account, verified: true, returnUrl: 'https://game.example.org/play' }),
    }
    const deps = { ...opened, activeSanctions, tokens: { ...opened.tokens, issue }, provider, configs: createFixedConfigs() }
    const signIn = createSignIn({ ...deps, limiter: createMemoryRateLimiter() })
    const banned = { kind: 'forbidden', slug: 'account-banned', members: { reason, until } }
    await expect(signIn.endOauth({}, origin.requestId)).rejects.toMatchObject(banned)
    expect(isIssued).toBe(false)
  })

  it('is refused when the account changes its identity during the sign-in', async () => {
    const planted = await opened.plant(email, { subject: 'https://issuer.example|1' })
    const store = createMemoryStore()
    const signInLog = createSignInLog({ store, clock: opened.clock, log: opened.log })
    const returnUrl = 'https://game.example.org/play'
    const issued: string[] = []
    const tokens = {
      ...opened.tokens,
      issue: async (grant: Parameters<typeof opened.tokens.issue>[0]) => {
        const token = await opened.tokens.issue(grant)
        issued.push(token)
        return token
      },
    }
    const signInAs = (subject: string) => {
      const proven = { account: { ...planted, subject }, verified: true, returnUrl }
      const provider = { ...createLocalProvider({ ...opened, requirePassword: () => true }), oauthCallback: async () => proven }
      const configs = createFixedConfigs()
      return createSignIn({ ...opened, signInLog, tokens, configs, provider, limiter: createMemoryRateLimiter() }).endOauth(
        {},
        origin.requestId,
      )
    }
    expect(await signInAs('https://issuer.example|1')).toMatchObject({ playerId: planted.playerId, returnUrl })
    await expect(signInAs('https://issuer.example|2')).rejects.toMatchObject({ kind: 'unauthenticated' })
    const alive = await Promise.all(issued.map((token) => opened.tokens.find(token)))
    expect(alive.map((record) => record !== undefined)).toEqual([true, false])
    // A refused user did not sign in.
    expect(await listSignIns(store, planted.playerId)).toMatchObject([{ by: 'identity-provider' }])
  })

  it('gives each sign-in an id of its own, shared by its renewals', async () => {
    const { signIn, tokens } = opened
    const one = await signIn.login(email, '', origin)
    const other = await signIn.login(email, '', origin)
    const renewed = await signIn.renew(one.token)
    const idOf = async (token: string) => (await tokens.find(token))?.signInId
    expect(await idOf(renewed.token)).toBe(await idOf(one.token))
    expect(await idOf(other.token)).not.toBe(await idOf(one.token))
  })

  it('refuses an invalid email before it counts or reads anything', async () => {
    await expect(opened.signIn.login('ann', '', origin)).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ pointer: '/email', message: expect.any(String) }],
    })
  })

  it('refuses a password that changes between comparison and token, and revokes the token', async () => {
    const issued: string[] = []
    const raced = await open({ auth: { local: { requirePassword: true } } }, (provider) => ({
      ...provider,
      login: async (...args) => {
        const proven = await provider.login(...args)
        await raced.accounts.updateAccount(operator, email, { password: 'another password' })
        return proven
      },
    }))
    const { issue } = raced.tokens
    raced.tokens.issue = async (grant) => {
      const token = await issue(grant)
      issued.push(token)
      return token
    }
    await raced.accounts.createAccount(operator, { email, password })
    await expect(raced.signIn.login(email, password, origin)).rejects.toMatchObject({ slug: 'invalid-credentials' })
    expect(await Promise.all(issued.map(raced.tokens.find))).toEqual([undefined])
    await raced.close()
  })
})

describe('limits of sign-in', () => {
  const limited = { kind: 'limited', slug: 'too-many-requests', retryAfterSeconds: expect.any(Number) }

  it('count an IPv6 address with its whole /64, in any notation', async () => {
    const { signIn, close } = await open({ http: { rateLimits: { signInPerMinutePerAddress: 2, signInPerMinutePerAccount: 1 } } })
    const from = (address: string) => ({ ...origin, address })
    await signIn.login('a@example.com', '', from('2001:db8::1'))
    await expect(signIn.login('a@example.com', '', from('2001:db8:0:0:ffff::2'))).rejects.toMatchObject(limited)
    for (const address of ['2001:0DB8::3', '2001:db8::4']) await signIn.countAttempt('sign-in-address', address)
    await expect(signIn.countAttempt('sign-in-address', '2001:db8::5')).rejects.toMatchObject(limited)
    await signIn.countAttempt('sign-in-address', '2001:db8:0:1::1')
    await close()
  })

  it('stop an attempt before the provider is called', async () => {
    let calls = 0
    const { signIn, accountStore, close } = await open(
      { http: { rateLimits: { signInPerMinutePerAccount: 1 } } },
      (provider) => ({
        ...provider,
        login: (...args) => {
          calls += 1
          return provider.login(...args)
        },
      }),
    )
    await signIn.login(email, '', origin)
    await expect(signIn.login(email, '', origin)).rejects.toMatchObject(limited)
    expect(calls).toBe(1)
    expect((await accountStore.listAccounts({ limit: 200 })).accounts).toHaveLength(1)
    await close()
  })
})

describe('renewal', () => {
  let opened: Opened
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  const dead = { kind: 'unauthenticated', slug: 'invalid-token' }

  it('ends when a clock that was ahead at the sign-in is corrected', async () => {
    const { signIn, clock, tokens } = opened
    const { playerId } = await signIn.login(email, '', origin)
    const ahead = { playerId, verified: false, signInId: 'ahead', signedInAt: clock.now() + hourMs }
    await expect(signIn.renew(await tokens.issue(ahead))).rejects.toMatchObject({ slug: 'sign-in-expired' })
    const slightly = { ...ahead, signedInAt: clock.now() + 1000 }
    expect(await signIn.renew(await tokens.issue(slightly))).toMatchObject({ playerId })
  })

  it('is refused for tokens that are expired, forged, or of a removed account', async () => {
    const { signIn, accounts, clock } = opened
    const expired = await signIn.login(email, '', origin)
    clock.advance(600_000)
    await expect(signIn.renew(expired.token)).rejects.toMatchObject(dead)
    await expect(signIn.renew('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject(dead)
    await expect(signIn.renew('')).rejects.toMatchObject(dead)
    const orphaned = await signIn.login(email, '', origin)
    await accounts.removeAccount(operator, email)
    await expect(signIn.renew(orphaned.token)).rejects.toMatchObject(dead)
  })
})

describe('logout', () => {
  let opened: Opened
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  it('ends one whole sign-in, and announces it', async () => {
    const { signIn, tokens, published } = opened
    const one = await signIn.login(email, '', origin)
    const renewed = await signIn.renew(one.token)
    const other = await signIn.login(email, '', origin)
    const signInId = (await tokens.find(one.token))?.signInId
    await signIn.logout(renewed.token)
    expect(await tokens.find(one.token)).toBeUndefined()
    expect(await tokens.find(renewed.token)).toBeUndefined()
    expect(await tokens.find(other.token)).toBeDefined()
    expect(published.at(-1)).toEqual(['sign-in-ended', { playerId: one.playerId, signInId }])
    await expect(signIn.logout(one.token)).rejects.toMatchObject({ kind: 'unauthenticated', slug: 'invalid-token' })
  })
})
