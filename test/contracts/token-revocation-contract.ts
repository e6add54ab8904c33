import { describe, expect, it } from '@jest/globals'
import { systemIds } from '../../shared/kernel/ids.ts'
import { type OpenTokenStore, setUpTokenStore } from './token-store-setup.ts'

const minute = 60_000
const refused = expect.objectContaining({ kind: 'unauthenticated', slug: 'invalid-token' })

/** The promises of every TokenStore about revocations, a part of `tokenStoreContract`. `also` is for cases that a brief run omits. */
export const tokenRevocationContract = (open: OpenTokenStore, also: typeof it) => {
  const suite = setUpTokenStore(open)

  describe('revoke', () => {
    it('kills the token and tells whose it was', async () => {
      const grant = suite.grantFor()
      const token = await suite.store.issue(grant)
      expect(await suite.store.revoke(token)).toMatchObject(grant)
      expect(await suite.store.find(token)).toBeUndefined()
    })

    it('ends all that were renewed from the same sign-in, earlier and later ones', async () => {
      const first = await suite.store.issue(suite.grantFor())
      suite.clock.advance(minute)
      const second = await suite.renew(first)
      suite.clock.advance(minute)
      const third = await suite.renew(second)
      await suite.store.revoke(second)
      for (const token of [first, second, third]) expect(await suite.store.find(token)).toBeUndefined()
    })

    also('leaves other sign-ins of the account and other accounts alone', async () => {
      const grant = suite.grantFor()
      const ended = await suite.store.issue(grant)
      const elsewhere = await suite.store.issue(suite.grantFor({ playerId: grant.playerId }))
      const stranger = await suite.store.issue(suite.grantFor())
      await suite.store.revoke(ended)
      expect(await suite.store.find(elsewhere)).toBeDefined()
      expect(await suite.store.find(stranger)).toBeDefined()
    })

    also('refuses a renewal that found its token before the sign-in was ended', async () => {
      const token = await suite.store.issue(suite.grantFor())
      const record = await suite.store.find(token)
      await suite.store.revoke(token)
      await expect(suite.store.issue(record ?? suite.grantFor())).rejects.toEqual(refused)
    })

    it('lets no renewal survive that races with it', async () => {
      const token = await suite.store.issue(suite.grantFor())
      const renewals = Array.from({ length: 50 }, () => suite.renew(token))
      const [results] = await Promise.all([Promise.allSettled(renewals), suite.store.revoke(token)])
      for (const result of results) {
        if (result.status === 'fulfilled') expect(await suite.store.find(result.value)).toBeUndefined()
        else expect(result.reason).toEqual(refused)
      }
      expect(await suite.store.find(token)).toBeUndefined()
    })

    also('answers undefined the second time, and for what never was', async () => {
      const token = await suite.store.issue(suite.grantFor())
      await suite.store.revoke(token)
      expect(await suite.store.revoke(token)).toBeUndefined()
      expect(await suite.store.revoke(systemIds.uuid())).toBeUndefined()
      expect(await suite.store.revoke('nonsense')).toBeUndefined()
    })
  })

  describe('revokeAccount', () => {
    it('kills every token of the account and none of another', async () => {
      const { playerId } = suite.grantFor()
      const tokens = await Promise.all(Array.from({ length: 20 }, () => suite.store.issue(suite.grantFor({ playerId }))))
      const stranger = await suite.store.issue(suite.grantFor())
      await suite.store.revokeAccount(playerId)
      for (const token of tokens) expect(await suite.store.find(token)).toBeUndefined()
      expect(await suite.store.find(stranger)).toBeDefined()
    })

    also('lets the account sign in again at once', async () => {
      const { playerId } = suite.grantFor()
      await suite.store.revokeAccount(playerId)
      const token = await suite.store.issue(suite.grantFor({ playerId }))
      expect(await suite.store.find(token)).toMatchObject({ playerId })
    })

    also('refuses a renewal that found its token before', async () => {
      const token = await suite.store.issue(suite.grantFor())
      const record = await suite.store.find(token)
      await suite.store.revokeAccount(record?.playerId ?? '')
      await expect(suite.store.issue(record ?? suite.grantFor())).rejects.toEqual(refused)
    })

    also('refuses a token for a sign-in that began before, even one that has no token yet', async () => {
      const grant = suite.grantFor()
      suite.clock.advance(1)
      await suite.store.revokeAccount(grant.playerId)
      await expect(suite.store.issue(grant)).rejects.toEqual(refused)
    })

    it('leaves no token alive that was issued before it resolved, whichever way 100 issues race with it', async () => {
      const { playerId } = suite.grantFor()
      const early = Array.from({ length: 50 }, () => suite.store.issue(suite.grantFor({ playerId })))
      const revoked = suite.store.revokeAccount(playerId)
      const late = Array.from({ length: 50 }, () => suite.store.issue(suite.grantFor({ playerId })))
      await revoked
      const dead = await Promise.allSettled(early)
      for (const result of dead) {
        if (result.status === 'fulfilled') expect(await suite.store.find(result.value)).toBeUndefined()
        else expect(result.reason).toEqual(refused)
      }
      for (const result of await Promise.allSettled(late)) {
        if (result.status === 'rejected') expect(result.reason).toEqual(refused)
      }
      await suite.store.revokeAccount(playerId)
      for (const result of await Promise.allSettled(late)) {
        if (result.status === 'fulfilled') expect(await suite.store.find(result.value)).toBeUndefined()
      }
    })

    it('spares the one sign-in that is named, its renewals and what races with it included', async () => {
      const { playerId } = suite.grantFor()
      const kept = suite.grantFor({ playerId })
      const [spared, other] = [await suite.store.issue(kept), await suite.store.issue(suite.grantFor({ playerId }))]
      suite.clock.advance(1000)
      const renewals = Array.from({ length: 20 }, () => suite.renew(spared))
      const [renewed] = await Promise.all([Promise.all(renewals), suite.store.revokeAccount(playerId, kept.signInId)])
      expect(await suite.store.find(other)).toBeUndefined()
      for (const token of [spared, ...renewed, await suite.renew(spared)])
        expect(await suite.store.find(token)).toMatchObject({ signInId: kept.signInId })
    })

    also('refuses a sign-in without a token yet where another one is spared', async () => {
      const grant = suite.grantFor()
      suite.clock.advance(1)
      await suite.store.revokeAccount(grant.playerId, systemIds.uuid())
      await expect(suite.store.issue(grant)).rejects.toEqual(refused)
    })

    also('spares nothing any more once the whole account is revoked', async () => {
      const kept = suite.grantFor()
      const token = await suite.store.issue(kept)
      suite.clock.advance(1)
      await suite.store.revokeAccount(kept.playerId, kept.signInId)
      await suite.store.revokeAccount(kept.playerId)
      expect(await suite.store.find(token)).toBeUndefined()
      await expect(suite.store.issue(kept)).rejects.toEqual(refused)
    })

    also('is content with an account that has no token', async () => {
      await expect(suite.store.revokeAccount(systemIds.uuid())).resolves.toBeUndefined()
    })
  })

  describe('revokeSignIn', () => {
    also('lists each sign-in that it ended, also several of one account', async () => {
      const { playerId } = suite.grantFor()
      const at = suite.clock.now()
      for (const signInId of ['one', 'two']) await suite.store.revokeSignIn({ playerId, signInId })
      const byName = (await suite.store.revokedSince(0)).toSorted((a, b) => (a.signInId ?? '').localeCompare(b.signInId ?? ''))
      expect(byName).toEqual([
        { playerId, signInId: 'one', at },
        { playerId, signInId: 'two', at },
      ])
    })

    it('refuses later renewals of the sign-in, and keeps other sign-ins', async () => {
      const grant = suite.grantFor()
      const other = suite.grantFor({ playerId: grant.playerId })
      await suite.store.revokeSignIn(grant)
      await expect(suite.store.issue(grant)).rejects.toEqual(refused)
      expect(await suite.store.find(await suite.store.issue(other))).toMatchObject(other)
    })

    also('accepts a sign-in that it already ended', async () => {
      const grant = suite.grantFor()
      for (let at = 0; at < 2; at += 1) await suite.store.revokeSignIn(grant)
      expect(await suite.store.revokedSince(0)).toHaveLength(1)
    })
  })

  describe('endAccount', () => {
    also('ends every token of the account and no token of another account', async () => {
      const grant = suite.grantFor()
      const tokens = [await suite.store.issue(grant), await suite.store.issue(suite.grantFor({ playerId: grant.playerId }))]
      const stranger = await suite.store.issue(suite.grantFor())
      suite.clock.advance(1)
      await suite.store.endAccount(grant.playerId)
      for (const token of tokens) expect(await suite.store.find(token)).toBeUndefined()
      expect(await suite.store.find(stranger)).toBeDefined()
      await expect(suite.store.issue(grant)).rejects.toEqual(refused)
      expect(await suite.store.revokedSince(0)).toEqual([{ playerId: grant.playerId, at: suite.clock.now() }])
    })
  })

  describe('revokedSince', () => {
    it('lists logouts and whole accounts, oldest first, from that moment on', async () => {
      const one = suite.grantFor()
      const two = suite.grantFor()
      const token = await suite.store.issue(one)
      suite.clock.advance(1000)
      const at = suite.clock.now()
      await suite.store.revoke(token)
      suite.clock.advance(1000)
      await suite.store.revokeAccount(two.playerId)
      const logout = { playerId: one.playerId, signInId: one.signInId, at }
      const account = { playerId: two.playerId, at: at + 1000 }
      expect(await suite.store.revokedSince(at - 1)).toEqual([logout, account])
      expect(await suite.store.revokedSince(at)).toEqual([logout, account])
      expect(await suite.store.revokedSince(at + 1)).toEqual([account])
      expect(await suite.store.revokedSince(at + 1001)).toEqual([])
    })

    also('tells which sign-in was spared', async () => {
      const { playerId, signInId } = suite.grantFor()
      await suite.store.revokeAccount(playerId, signInId)
      expect(await suite.store.revokedSince(0)).toEqual([{ playerId, exceptSignInId: signInId, at: suite.clock.now() }])
    })

    also('tells of the latest revocation of an account only', async () => {
      const { playerId } = suite.grantFor()
      await suite.store.revokeAccount(playerId)
      suite.clock.advance(5)
      await suite.store.revokeAccount(playerId)
      expect(await suite.store.revokedSince(0)).toEqual([{ playerId, at: suite.clock.now() }])
    })

    it('forgets them after ten minutes', async () => {
      await suite.store.revokeAccount(systemIds.uuid())
      suite.clock.advance(10 * minute - 1)
      expect(await suite.store.revokedSince(0)).toHaveLength(1)
      suite.clock.advance(1)
      expect(await suite.store.revokedSince(0)).toEqual([])
    })
  })
}
