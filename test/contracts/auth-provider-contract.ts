import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AuthProvider } from '../../shared/auth/provider.ts'

export type OpenAuthProvider = () => Promise<{
  readonly provider: AuthProvider
  /** Somebody whom the provider lets in by a password; absent where it knows no passwords. */
  readonly known?: { readonly email: string; readonly password: string; readonly playerId: string }
  readonly close: () => Promise<void>
}>

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
    const failureOf = (email: string, password: string): Promise<unknown> =>
      opened.provider.login(email, password, 'request-1').then(
        () => 'let in',
        (error: unknown) => ({ ...Object(error), message: Object(error).message }),
      )

    it('refuses the half of the port that it has no use for', async () => {
      const { provider } = opened
      if (signsInBy === 'redirect') {
        await expect(provider.login('ann@example.com', 'a password', 'request-1')).rejects.toMatchObject(mismatch)
        return
      }
      await expect(provider.oauthStartUrl('https://example.com/')).rejects.toMatchObject(mismatch)
      await expect(provider.oauthCallback({ code: 'code', state: 'state' }, 'request-1')).rejects.toMatchObject(mismatch)
      expect(() => provider.oauthReturnUrl('https://example.com/')).toThrow(expect.objectContaining(mismatch))
    })

    byPassword('lets in, verified, who shows the password', async () => {
      const { provider, known } = opened
      const { email = '', password = '', playerId } = known ?? {}
      expect(await provider.login(email, password, 'request-1')).toMatchObject({ account: { playerId }, verified: true })
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
  })
}
