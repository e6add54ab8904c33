import { afterEach, beforeEach } from '@jest/globals'
import type { TokenGrant, TokenStore } from '../../shared/domain/tokens/tokens.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createFixedClock, type FixedClock } from '../support/time/fixed-clock.ts'

/** Opens a fresh, empty store on `clock`, and says how to close it. */
export type OpenTokenStore = (clock: FixedClock) => Promise<{ readonly store: TokenStore; readonly close: () => Promise<void> }>

/** A store and a clock for each test of the describe that this is called in. */
export const setUpTokenStore = (open: OpenTokenStore) => {
  let clock = createFixedClock()
  let opened: Awaited<ReturnType<OpenTokenStore>> | undefined
  beforeEach(async () => {
    clock = createFixedClock()
    opened = await open(clock)
  })
  afterEach(() => opened?.close())
  const getStore = (): TokenStore => {
    if (opened === undefined) throw new Error('the store is not open')
    return opened.store
  }
  return {
    get clock() {
      return clock
    },
    get store() {
      return getStore()
    },
    grantFor: (overrides: Partial<TokenGrant> = {}): TokenGrant => ({
      playerId: systemIds.uuid(),
      verified: true,
      signInId: systemIds.uuid(),
      signedInAt: clock.now(),
      ...overrides,
    }),
    /** What the sign-in service does to renew: the grant of a live token, issued again. */
    renew: async (token: string): Promise<string> => {
      const record = await getStore().find(token)
      if (record === undefined) throw new AppError('unauthenticated', 'invalid-token', 'gone')
      return await getStore().issue(record)
    },
  }
}
