import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AuthProvider, OauthAnswer } from '../../shared/domain/auth/provider/provider.ts'

export type OpenAuthProvider = () => Promise<{
  readonly provider: AuthProvider
  /** A user with a password at the provider; absent if the provider has no passwords. */
  readonly known?: { readonly email: string; readonly password: string; readonly playerId: string }
  /** Of a provider that sends people elsewhere: an address that they may come back to. */
  readonly returnUrl?: string
  /** Signs a user in at the address of the start, and returns the parameters that the browser brings back. */
  readonly answer?: (address: string) => OauthAnswer | Promise<OauthAnswer>
  readonly advance?: (milliseconds: number) => void
  readonly close: () => Promise<void>
}>

const origin = { address: '192.0.2.1', requestId: 'request-1' }
const mismatch = { kind: 'not-found', slug: 'provider-mismatch' }

/** What every provider promises; `signsInBy` says which half of the port it serves, the other half it refuses. */
export const describeAuthProvider = (name: string, signsInBy: 'password' | 'redirect', open: OpenAuthProvider): void => {
  describe(`the auth provider ${name}`, () => {
    let opened: Awaited<ReturnType<OpenAuthProvider>>
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    /** Only of a provider that takes passwords; the other kind promises nothing here, so nothing is skipped. */
    const byPassword = (guarantee: string, check: () => Promise<void>): void => {
      if (signsInBy === 'password') it(guarantee, check)
    }
    const byRedirect = (guarantee: string, check: (returnUrl: string) => Promise<void>): void => {
      if (signsInBy === 'redirect') it(guarantee, () => check(opened.returnUrl ?? ''))
    }
    const begin = async (returnUrl: string) => {
      const { redirectTo, state, browserSecret } = await opened.provider.oauthStartUrl(returnUrl)
      const answer = { state, ...(await opened.answer?.(redirectTo)) }
      return { answer, browserSecret }
    }
    const end = (answer: OauthAnswer) => opened.provider.oauthCallback(answer, 'request-1')
    const invalid = { kind: 'invalid' }
    const failureOf = (email: string, password: string): Promise<unknown> =>
      opened.provider.login(email, password, origin).then(
        () => 'let in',
        (error: unknown) => ({ ...Object(error), message: Object(error).message }),
      )

    it('refuses the half of the port that it has no use for', async () => {
      const { provider } = opened
      if (signsInBy === 'redirect') {
        await expect(provider.login('ann@example.com', 'a password', origin)).rejects.toMatchObject(mismatch)
        return
      }
      await expect(provider.oauthStartUrl('https://example.com/')).rejects.toMatchObject(mismatch)
      await expect(provider.oauthCallback({ code: 'code', state: 'state' }, 'request-1')).rejects.toMatchObject(mismatch)
      expect(() => provider.oauthReturnUrl('https://example.com/')).toThrow(expect.objectContaining(mismatch))
    })

    byPassword('lets in, verified, who shows the password', async () => {
      const { provider, known } = opened
      const { email = '', password = '', playerId } = known ?? {}
      expect(await provider.login(email, password, origin)).toMatchObject({
        account: { playerId },
        verified: true,
      })
    })

    byPassword('refuses an unknown email and a wrong password in the same words', async () => {
      const { email = '' } = opened.known ?? {}
      const wrong = await failureOf(email, 'not the password')
      expect(wrong).toMatchObject({ kind: 'unauthenticated', slug: 'invalid-credentials' })
      expect(await failureOf('nobody@example.com', 'not the password')).toEqual(wrong)
    })

    byPassword('answers any text as a password with nothing but that refusal', async () => {
      const { email = '', password = '' } = opened.known ?? {}
      const wrong = await failureOf('nobody@example.com', 'not the password')
      for (const text of [
        '',
        'short',
        `${password}x`,
        'x'.repeat(73),
        'x'.repeat(100_000),
        '\0',
        `${password}\0${password}`,
        '\ud800',
      ])
        expect(await failureOf(email, text)).toEqual(wrong)
    })

    byRedirect('lets in, verified, who comes back, and sends them where they asked to go', async (returnUrl) => {
      const { answer, browserSecret } = await begin(returnUrl)
      const first = await end({ ...answer, browserSecret })
      expect(first).toMatchObject({ verified: true, returnUrl: opened.provider.oauthReturnUrl(returnUrl) })
      const again = await begin(returnUrl)
      const second = await end({ ...again.answer, browserSecret: again.browserSecret })
      expect(second.account.playerId).toBe(first.account.playerId)
    })

    byRedirect('begins every sign-in with a state and a secret of its own', async (returnUrl) => {
      const starts = await Promise.all(Array.from({ length: 10 }, () => opened.provider.oauthStartUrl(returnUrl)))
      const secrets = starts.flatMap(({ state, browserSecret }) => [state, browserSecret])
      expect(new Set(secrets).size).toBe(20)
      for (const { redirectTo, browserSecret } of starts) expect(redirectTo).not.toContain(browserSecret)
    })

    byRedirect('ends a sign-in once', async (returnUrl) => {
      const { answer, browserSecret } = await begin(returnUrl)
      const ends = await Promise.allSettled([1, 2, 3].map(() => end({ ...answer, browserSecret })))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expect(end({ ...answer, browserSecret })).rejects.toMatchObject(invalid)
    })

    byRedirect('refuses another browser, and lets the right one go on', async (returnUrl) => {
      const { answer, browserSecret } = await begin(returnUrl)
      const other = await opened.provider.oauthStartUrl(returnUrl)
      await expect(end(answer)).rejects.toMatchObject(invalid)
      await expect(end({ ...answer, browserSecret: other.browserSecret })).rejects.toMatchObject(invalid)
      expect(await end({ ...answer, browserSecret })).toMatchObject({ verified: true })
    })

    byRedirect('refuses a state that it never gave, none, and one ten minutes old', async (returnUrl) => {
      const { answer, browserSecret } = await begin(returnUrl)
      await expect(end({ ...answer, state: 'x'.repeat(43), browserSecret })).rejects.toMatchObject(invalid)
      await expect(end({ ...answer, state: undefined, browserSecret })).rejects.toMatchObject(invalid)
      opened.advance?.(600_000)
      await expect(end({ ...answer, browserSecret })).rejects.toMatchObject(invalid)
    })

    byRedirect('sends nobody where it may not', async (returnUrl) => {
      const { provider } = opened
      const elsewhere = { kind: 'invalid', slug: 'return-url-not-allowed' }
      const { origin } = new URL(returnUrl)
      for (const url of [
        '',
        'https://evil.example/',
        `${origin}@evil.example/`,
        `${origin}.evil.example/`,
        'javascript:alert(1)',
      ]) {
        expect(() => provider.oauthReturnUrl(url)).toThrow(expect.objectContaining(elsewhere))
        await expect(provider.oauthStartUrl(url)).rejects.toMatchObject(elsewhere)
      }
    })
  })
}
