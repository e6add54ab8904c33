import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { TokenGrant, TokenStore } from '../../shared/auth/tokens.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createFixedClock, type FixedClock } from '../support/fixed-clock.ts'

/** Opens a fresh, empty store on `clock`, and says how to close it. */
export type OpenTokenStore = (clock: FixedClock) => Promise<{ readonly store: TokenStore; readonly close: () => Promise<void> }>

const minute = 60_000
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const refused = expect.objectContaining({ kind: 'unauthenticated', slug: 'invalid-token' })

/** What every TokenStore promises. */
export const tokenStoreContract = (name: string, open: OpenTokenStore) => {
  describe(`TokenStore on ${name}`, () => {
    let clock: FixedClock
    let store: TokenStore
    let close: () => Promise<void>
    beforeEach(async () => {
      clock = createFixedClock()
      const opened = await open(clock)
      store = opened.store
      close = opened.close
    })
    afterEach(() => close())

    const grantFor = (overrides: Partial<TokenGrant> = {}): TokenGrant => ({
      playerId: systemIds.uuid(),
      verified: true,
      signInId: systemIds.uuid(),
      signedInAt: clock.now(),
      ...overrides,
    })
    /** What the sign-in service does to renew: the grant of a live token, issued again. */
    const renew = async (token: string): Promise<string> => {
      const record = await store.find(token)
      if (record === undefined) throw new AppError('unauthenticated', 'invalid-token', 'gone')
      return await store.issue(record)
    }

    describe('issue and find', () => {
      it.each([true, false])('gives back the grant of a token, verified %s included', async (verified) => {
        const grant = grantFor({ verified })
        const token = await store.issue(grant)
        expect(await store.find(token)).toEqual({ ...grant, expiresAt: clock.now() + 10 * minute })
      })

      it('makes every token a version 4 UUID of its own', async () => {
        const grant = grantFor()
        const issued = await Promise.all(Array.from({ length: 50 }, () => store.issue(grant)))
        expect(new Set(issued).size).toBe(50)
        for (const token of issued) expect(token).toMatch(v4)
      })

      it('keeps names with quotes, braces and letters of any script', async () => {
        const grant = grantFor({ playerId: 'a"b\\{c}|d,é漢', signInId: '} {x' })
        const token = await store.issue(grant)
        expect(await store.find(token)).toMatchObject(grant)
        expect(await store.revoke(token)).toMatchObject(grant)
        expect(await store.find(token)).toBeUndefined()
      })

      it('lets a token be used any number of times and never lengthens its life by that', async () => {
        const token = await store.issue(grantFor())
        const first = await store.find(token)
        clock.advance(5 * minute)
        expect(await store.find(token)).toEqual(first)
        clock.advance(5 * minute - 1)
        expect(await store.find(token)).toEqual(first)
        clock.advance(1)
        expect(await store.find(token)).toBeUndefined()
      })

      it('reads an expired token as absent before any sweep, for revoke as well', async () => {
        const token = await store.issue(grantFor())
        clock.advance(10 * minute)
        expect(await store.find(token)).toBeUndefined()
        expect(await store.revoke(token)).toBeUndefined()
        expect(await store.revokedSince(0)).toEqual([])
      })

      it('answers undefined for text that is no token', async () => {
        const token = await store.issue(grantFor())
        const malformed = [
          '',
          ' ',
          'x',
          '*',
          '../../etc/passwd',
          'null',
          '00000000-0000-0000-0000-000000000000',
          'ffffffff-ffff-ffff-ffff-ffffffffffff',
          '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
          token.toUpperCase(),
          ` ${token}`,
          `${token} `,
          `${token}\n`,
          `${token}\0`,
          `{${token}}`,
          token.slice(0, -1),
          `${token}0`,
          token.replaceAll('-', ''),
          token.replace(/-4/, '-5'),
          '١٢٣٤٥٦٧٨-1234-4234-8234-123456789012',
          '🂡'.repeat(36),
          'a'.repeat(100_000),
        ]
        for (const text of malformed) expect([text, await store.find(text)]).toEqual([text, undefined])
        expect(await store.find(systemIds.uuid())).toBeUndefined()
      })
    })

    describe('revoke', () => {
      it('kills the token and tells whose it was', async () => {
        const grant = grantFor()
        const token = await store.issue(grant)
        expect(await store.revoke(token)).toMatchObject(grant)
        expect(await store.find(token)).toBeUndefined()
      })

      it('ends all that were renewed from the same sign-in, earlier and later ones', async () => {
        const first = await store.issue(grantFor())
        clock.advance(minute)
        const second = await renew(first)
        clock.advance(minute)
        const third = await renew(second)
        await store.revoke(second)
        for (const token of [first, second, third]) expect(await store.find(token)).toBeUndefined()
      })

      it('leaves other sign-ins of the account and other accounts alone', async () => {
        const grant = grantFor()
        const ended = await store.issue(grant)
        const elsewhere = await store.issue(grantFor({ playerId: grant.playerId }))
        const stranger = await store.issue(grantFor())
        await store.revoke(ended)
        expect(await store.find(elsewhere)).toBeDefined()
        expect(await store.find(stranger)).toBeDefined()
      })

      it('refuses a renewal that found its token before the sign-in was ended', async () => {
        const token = await store.issue(grantFor())
        const record = await store.find(token)
        await store.revoke(token)
        await expect(store.issue(record ?? grantFor())).rejects.toEqual(refused)
      })

      it('lets no renewal survive that races with it', async () => {
        const token = await store.issue(grantFor())
        const renewals = Array.from({ length: 50 }, () => renew(token))
        const [results] = await Promise.all([Promise.allSettled(renewals), store.revoke(token)])
        for (const result of results) {
          if (result.status === 'fulfilled') expect(await store.find(result.value)).toBeUndefined()
          else expect(result.reason).toEqual(refused)
        }
        expect(await store.find(token)).toBeUndefined()
      })

      it('answers undefined the second time, and for what never was', async () => {
        const token = await store.issue(grantFor())
        await store.revoke(token)
        expect(await store.revoke(token)).toBeUndefined()
        expect(await store.revoke(systemIds.uuid())).toBeUndefined()
        expect(await store.revoke('nonsense')).toBeUndefined()
      })
    })

    describe('revokeAccount', () => {
      it('kills every token of the account and none of another', async () => {
        const { playerId } = grantFor()
        const tokens = await Promise.all(Array.from({ length: 20 }, () => store.issue(grantFor({ playerId }))))
        const stranger = await store.issue(grantFor())
        await store.revokeAccount(playerId)
        for (const token of tokens) expect(await store.find(token)).toBeUndefined()
        expect(await store.find(stranger)).toBeDefined()
      })

      it('lets the account sign in again at once', async () => {
        const { playerId } = grantFor()
        await store.revokeAccount(playerId)
        const token = await store.issue(grantFor({ playerId }))
        expect(await store.find(token)).toMatchObject({ playerId })
      })

      it('refuses a renewal that found its token before', async () => {
        const token = await store.issue(grantFor())
        const record = await store.find(token)
        await store.revokeAccount(record?.playerId ?? '')
        await expect(store.issue(record ?? grantFor())).rejects.toEqual(refused)
      })

      it('refuses a token for a sign-in that began before, even one that has no token yet', async () => {
        const grant = grantFor()
        clock.advance(1)
        await store.revokeAccount(grant.playerId)
        await expect(store.issue(grant)).rejects.toEqual(refused)
      })

      it('leaves no token alive that was issued before it resolved, whichever way 100 issues race with it', async () => {
        const { playerId } = grantFor()
        const early = Array.from({ length: 50 }, () => store.issue(grantFor({ playerId })))
        const revoked = store.revokeAccount(playerId)
        const late = Array.from({ length: 50 }, () => store.issue(grantFor({ playerId })))
        await revoked
        const dead = await Promise.allSettled(early)
        for (const result of dead) {
          if (result.status === 'fulfilled') expect(await store.find(result.value)).toBeUndefined()
          else expect(result.reason).toEqual(refused)
        }
        for (const result of await Promise.allSettled(late)) {
          if (result.status === 'rejected') expect(result.reason).toEqual(refused)
        }
        await store.revokeAccount(playerId)
        for (const result of await Promise.allSettled(late)) {
          if (result.status === 'fulfilled') expect(await store.find(result.value)).toBeUndefined()
        }
      })

      it('is content with an account that has no token', async () => {
        await expect(store.revokeAccount(systemIds.uuid())).resolves.toBeUndefined()
      })
    })

    describe('revokedSince', () => {
      it('lists logouts and whole accounts, oldest first, from that moment on', async () => {
        const one = grantFor()
        const two = grantFor()
        const token = await store.issue(one)
        clock.advance(1000)
        const at = clock.now()
        await store.revoke(token)
        clock.advance(1000)
        await store.revokeAccount(two.playerId)
        const logout = { playerId: one.playerId, signInId: one.signInId, at }
        const account = { playerId: two.playerId, at: at + 1000 }
        expect(await store.revokedSince(at - 1)).toEqual([logout, account])
        expect(await store.revokedSince(at)).toEqual([logout, account])
        expect(await store.revokedSince(at + 1)).toEqual([account])
        expect(await store.revokedSince(at + 1001)).toEqual([])
      })

      it('tells of the latest revocation of an account only', async () => {
        const { playerId } = grantFor()
        await store.revokeAccount(playerId)
        clock.advance(5)
        await store.revokeAccount(playerId)
        expect(await store.revokedSince(0)).toEqual([{ playerId, at: clock.now() }])
      })

      it('forgets them after ten minutes', async () => {
        await store.revokeAccount(systemIds.uuid())
        clock.advance(10 * minute - 1)
        expect(await store.revokedSince(0)).toHaveLength(1)
        clock.advance(1)
        expect(await store.revokedSince(0)).toEqual([])
      })
    })

    describe('putOnce and takeOnce', () => {
      it('gives the value once', async () => {
        await store.putOnce('state', '{"returnUrl":"/ü"}', 600)
        expect(await store.takeOnce('state')).toBe('{"returnUrl":"/ü"}')
        expect(await store.takeOnce('state')).toBeUndefined()
        expect(await store.takeOnce('never put')).toBeUndefined()
      })

      it('has one winner among fifty', async () => {
        await store.putOnce('state', 'prize', 600)
        const taken = await Promise.all(Array.from({ length: 50 }, () => store.takeOnce('state')))
        expect(taken.filter((value) => value !== undefined)).toEqual(['prize'])
      })

      it('is empty from the end of its time on', async () => {
        await store.putOnce('early', 'a', 60)
        await store.putOnce('late', 'b', 60)
        clock.advance(minute - 1)
        expect(await store.takeOnce('early')).toBe('a')
        clock.advance(1)
        expect(await store.takeOnce('late')).toBeUndefined()
      })

      it('keeps the last value put, an empty one too', async () => {
        await store.putOnce('state', 'old', 60)
        await store.putOnce('state', '', 60)
        expect(await store.takeOnce('state')).toBe('')
      })

      it('never confuses a secret with a token', async () => {
        const token = await store.issue(grantFor())
        expect(await store.takeOnce(token)).toBeUndefined()
        const secret = systemIds.uuid()
        await store.putOnce(secret, 'value', 60)
        expect(await store.find(secret)).toBeUndefined()
        expect(await store.takeOnce(secret)).toBe('value')
        expect(await store.find(token)).toBeDefined()
      })
    })

    it('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
