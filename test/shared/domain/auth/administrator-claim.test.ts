import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createSignIn } from '../../../../shared/domain/auth/create-sign-in.ts'
import { createLocalProvider } from '../../../../shared/domain/auth/local-provider.ts'
import { createMemoryRateLimiter } from '../../../../shared/platform/limits/rate-limiter.ts'
import { createAccountFixture, operator, password } from '../../../support/accounts/account-fixture.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'

const email = 'ann@example.com'
const origin = { address: '192.0.2.1', requestId: 'request-7' }
const wrong = { kind: 'unauthenticated', slug: 'invalid-claim' }

const open = async () => {
  const fixture = await createAccountFixture()
  const limiter = createMemoryRateLimiter()
  const provider = createLocalProvider({ ...fixture, requirePassword: () => true })
  const signIn = createSignIn({ ...fixture, configs: createFixedConfigs(), provider, limiter })
  return {
    ...fixture,
    signIn,
    makeClaim: async (): Promise<string> => (await signIn.createClaim()) ?? 'no claim',
    close: async () => {
      await limiter.close()
      await fixture.close()
    },
  }
}

describe('the claim of the administrator account', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  it('makes its holder the administrator, signed in and verified', async () => {
    const { signIn, tokens, accountStore, makeClaim } = opened
    const signedIn = await signIn.claim(await makeClaim(), { email, password, displayName: 'Ann' }, origin)
    const account = await accountStore.findByEmail(email)
    expect(signedIn).toEqual({ token: expect.any(String), displayName: 'Ann', playerId: account?.playerId, verified: true })
    expect(account?.groups).toContain('admin')
    expect(await tokens.find(signedIn.token)).toMatchObject({ verified: true })
    expect(await signIn.login(email, password, origin)).toMatchObject({ playerId: account?.playerId })
  })

  it('has 256 bits, differs at each start, and is absent while there is an administrator', async () => {
    const { signIn, accounts, makeClaim } = opened
    const one = await makeClaim()
    expect(one).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await makeClaim()).not.toBe(one)
    await accounts.createAccount(operator, { email, password, groups: ['admin'] })
    expect(await signIn.createClaim()).toBeUndefined()
  })

  it('works once', async () => {
    const { signIn, makeClaim } = opened
    const claim = await makeClaim()
    const other = await makeClaim()
    await signIn.claim(claim, { email, password }, origin)
    for (const late of [claim, other, 'a wrong claim'])
      await expect(signIn.claim(late, { email: 'bob@example.com', password }, origin)).rejects.toMatchObject({
        kind: 'conflict',
        slug: 'already-claimed',
      })
  })

  it('works for one of many concurrent requests', async () => {
    const { signIn, accountStore, makeClaim } = opened
    const claim = await makeClaim()
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) => signIn.claim(claim, { email: `${name}@example.com`, password }, origin)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await accountStore.listAdministrators()).toHaveLength(1)
  })

  it('stays usable after refused input, until it expires', async () => {
    const { signIn, clock, makeClaim } = opened
    const claim = await makeClaim()
    const refused = { kind: 'invalid', slug: 'bad-request' }
    clock.advance(23 * 3_600_000)
    await expect(signIn.claim(claim, { email: 'ann', password }, origin)).rejects.toMatchObject(refused)
    await expect(signIn.claim(claim, { email, password: 'short' }, origin)).rejects.toMatchObject(refused)
    await expect(signIn.claim(claim, { email, password, displayName: '' }, origin)).rejects.toMatchObject(refused)
    clock.advance(3_600_000 - 1)
    await signIn.claim(claim, { email, password }, origin)
  })

  it('expires after a day, and is refused when forged', async () => {
    const { signIn, clock, accountStore, makeClaim } = opened
    const claim = await makeClaim()
    await expect(signIn.claim('', { email, password }, origin)).rejects.toMatchObject(wrong)
    await expect(signIn.claim(`${claim}x`, { email, password }, origin)).rejects.toMatchObject(wrong)
    clock.advance(24 * 3_600_000)
    await expect(signIn.claim(claim, { email, password }, origin)).rejects.toMatchObject(wrong)
    expect(await accountStore.findByEmail(email)).toBeUndefined()
  })
})
