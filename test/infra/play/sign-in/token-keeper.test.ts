import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { SignInClient } from '../../../../infra/play/sign-in/sign-in.ts'
import { createTokenKeeper } from '../../../../infra/play/sign-in/token-keeper.ts'

const createRenewals = (livesMax: number) => {
  const renewed: string[] = []
  const signIn: Pick<SignInClient, 'renew'> = {
    renew: async (token) => {
      if (renewed.length >= livesMax) throw new Error('Sign-in expired.')
      renewed.push(token)
      return { token: `token-${renewed.length}`, displayName: 'ann', playerId: 'id' }
    },
  }
  return { renewed, signIn }
}

describe('the keeper of a token', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('renews within the ten minutes of each token, until it is stopped', async () => {
    const { renewed, signIn } = createRenewals(10)
    const keeper = createTokenKeeper(signIn, 'token-0', () => undefined)
    await jest.advanceTimersByTimeAsync(9 * 60_000)
    expect(keeper.token()).toBe('token-1')
    await jest.advanceTimersByTimeAsync(10 * 60_000)
    expect(renewed).toEqual(['token-0', 'token-1'])
    keeper.stop()
    await jest.advanceTimersByTimeAsync(60 * 60_000)
    expect(keeper.token()).toBe('token-2')
  })

  it('tells once when a renewal fails, and keeps the token that it has', async () => {
    const failures: string[] = []
    const keeper = createTokenKeeper(createRenewals(1).signIn, 'token-0', (text) => failures.push(text))
    await jest.advanceTimersByTimeAsync(60 * 60_000)
    expect([failures, keeper.token()]).toEqual([['Sign-in expired.'], 'token-1'])
  })
})
