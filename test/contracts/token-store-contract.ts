import { describe, expect, it } from '@jest/globals'
import { systemIds } from '../../shared/kernel/ids.ts'
import { type ContractOptions, itUnless } from './brief.ts'
import { tokenRevocationContract } from './token-revocation-contract.ts'
import { type OpenTokenStore, setUpTokenStore } from './token-store-setup.ts'

const minute = 60_000
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What every TokenStore promises. */
export const tokenStoreContract = (name: string, open: OpenTokenStore, { isBrief = false }: ContractOptions = {}) => {
  const also = itUnless(isBrief)
  describe(`TokenStore on ${name}`, () => {
    describe('revocations', () => tokenRevocationContract(open, also))

    const suite = setUpTokenStore(open)

    describe('issue and find', () => {
      it.each([true, false])('gives back the grant of a token, verified %s included', async (verified) => {
        const grant = suite.grantFor({ verified })
        const token = await suite.store.issue(grant)
        expect(await suite.store.find(token)).toEqual({ ...grant, expiresAt: suite.clock.now() + 10 * minute })
      })

      also('makes every token a version 4 UUID of its own', async () => {
        const grant = suite.grantFor()
        const issued = await Promise.all(Array.from({ length: 50 }, () => suite.store.issue(grant)))
        expect(new Set(issued).size).toBe(50)
        for (const token of issued) expect(token).toMatch(v4)
      })

      it('keeps names with quotes, braces and letters of any script', async () => {
        const grant = suite.grantFor({ playerId: 'a"b\\{c}|d,é漢', signInId: '} {x' })
        const token = await suite.store.issue(grant)
        expect(await suite.store.find(token)).toMatchObject(grant)
        expect(await suite.store.revoke(token)).toMatchObject(grant)
        expect(await suite.store.find(token)).toBeUndefined()
      })

      also('lets a token be used any number of times and never lengthens its life by that', async () => {
        const token = await suite.store.issue(suite.grantFor())
        const first = await suite.store.find(token)
        suite.clock.advance(5 * minute)
        expect(await suite.store.find(token)).toEqual(first)
        suite.clock.advance(5 * minute - 1)
        expect(await suite.store.find(token)).toEqual(first)
        suite.clock.advance(1)
        expect(await suite.store.find(token)).toBeUndefined()
      })

      it('reads an expired token as absent before any sweep, for revoke as well', async () => {
        const token = await suite.store.issue(suite.grantFor())
        suite.clock.advance(10 * minute)
        expect(await suite.store.find(token)).toBeUndefined()
        expect(await suite.store.revoke(token)).toBeUndefined()
        expect(await suite.store.revokedSince(0)).toEqual([])
      })

      also('ends a token of a clock that was ahead when the clock is set right', async () => {
        suite.clock.advance(60 * minute)
        const token = await suite.store.issue(suite.grantFor())
        suite.clock.advance(-4_000)
        expect(await suite.store.find(token)).toBeDefined()
        suite.clock.advance(4_000 - 60 * minute)
        expect(await suite.store.find(token)).toBeUndefined()
        expect(await suite.store.revoke(token)).toBeUndefined()
      })

      also('answers undefined for text that is no token', async () => {
        const token = await suite.store.issue(suite.grantFor())
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
        for (const text of malformed) expect([text, await suite.store.find(text)]).toEqual([text, undefined])
        expect(await suite.store.find(systemIds.uuid())).toBeUndefined()
      })
    })

    describe('putOnce, findOnce and takeOnce', () => {
      it('gives the value once', async () => {
        await suite.store.putOnce('state', '{"returnUrl":"/ü"}', 600)
        expect(await suite.store.takeOnce('state')).toBe('{"returnUrl":"/ü"}')
        expect(await suite.store.takeOnce('state')).toBeUndefined()
        expect(await suite.store.takeOnce('never put')).toBeUndefined()
      })

      also('leaves a value that is only looked for where it is, no longer than its time', async () => {
        await suite.store.putOnce('state', 'a b', 60)
        expect(await suite.store.findOnce('state')).toBe('a b')
        expect(await suite.store.findOnce('never put')).toBeUndefined()
        suite.clock.advance(minute - 1)
        expect(await suite.store.findOnce('state')).toBe('a b')
        suite.clock.advance(1)
        expect(await suite.store.findOnce('state')).toBeUndefined()
        await suite.store.putOnce('state', '', 60)
        expect(await suite.store.findOnce('state')).toBe('')
        expect(await suite.store.takeOnce('state')).toBe('')
        expect(await suite.store.findOnce('state')).toBeUndefined()
      })

      it('has one winner among fifty', async () => {
        await suite.store.putOnce('state', 'prize', 600)
        const taken = await Promise.all(Array.from({ length: 50 }, () => suite.store.takeOnce('state')))
        expect(taken.filter((value) => value !== undefined)).toEqual(['prize'])
      })

      it('is empty from the end of its time on', async () => {
        await suite.store.putOnce('early', 'a', 60)
        await suite.store.putOnce('late', 'b', 60)
        suite.clock.advance(minute - 1)
        expect(await suite.store.takeOnce('early')).toBe('a')
        suite.clock.advance(1)
        expect(await suite.store.takeOnce('late')).toBeUndefined()
      })

      it('keeps the last value put, an empty one too', async () => {
        await suite.store.putOnce('state', 'old', 60)
        await suite.store.putOnce('state', '', 60)
        expect(await suite.store.takeOnce('state')).toBe('')
      })

      also('never confuses a secret with a token', async () => {
        const token = await suite.store.issue(suite.grantFor())
        expect(await suite.store.takeOnce(token)).toBeUndefined()
        const secret = systemIds.uuid()
        await suite.store.putOnce(secret, 'value', 60)
        expect(await suite.store.find(secret)).toBeUndefined()
        expect(await suite.store.takeOnce(secret)).toBe('value')
        expect(await suite.store.find(token)).toBeDefined()
      })
    })

    it('answers a ping', async () => {
      await expect(suite.store.ping()).resolves.toBeUndefined()
    })
  })
}
