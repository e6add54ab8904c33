import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Account } from '../../../../../shared/domain/accounts/account.ts'
import { type AccountMap, createAccountMapDraft } from '../../../../../shared/domain/accounts/store/account-map.ts'

const accountOf = (name: string): Account => ({
  email: `${name}@example.org`,
  playerId: name,
  displayName: name,
  groups: [],
  createdAt: '2026-01-01T00:00:00.000Z',
})

const createAccountMap = (entries: Iterable<readonly [string, Account]>): AccountMap =>
  createAccountMapDraft().done().change(entries)

const allKeys = Array.from({ length: 400 }, (_, at) => String(at))
const keys = fc.constantFrom(...allKeys)
/** Change lists of all sizes. By default fast-check generates too few changes to merge the layers. */
const steps = fc.array(
  fc.array(fc.tuple(keys, fc.option(fc.nat({ max: 9 }), { nil: undefined })), { minLength: 1, maxLength: 60, size: 'max' }),
  { maxLength: 12, size: 'max' },
)

describe('an account map', () => {
  it('equals a Map with the same changes at every step, and is immutable', () => {
    fc.assert(
      fc.property(fc.uniqueArray(keys, { maxLength: 300 }), steps, (first, changes) => {
        const states = [first.map((key): [string, Account] => [key, accountOf(key)])].map((entries) => ({
          expected: new Map(entries),
          map: createAccountMap(entries),
        }))
        for (const change of changes) {
          const last = states.at(-1)
          if (last === undefined) throw new Error('the state is missing')
          const expected = new Map(last.expected)
          const entries = change.map(([key, to]) => [key, to === undefined ? undefined : accountOf(`${key} ${to}`)] as const)
          for (const [key, account] of entries) {
            if (account === undefined) expected.delete(key)
            else expected.set(key, account)
          }
          states.push({ expected, map: last.map.change(entries) })
        }
        for (const { expected, map } of states) {
          expect(map.size).toBe(expected.size)
          expect([...map.keys()].sort()).toEqual([...expected.keys()].sort())
          expect([...map.values()].map(({ email }) => email).sort()).toEqual(
            [...expected.values()].map(({ email }) => email).sort(),
          )
          const wrong = allKeys.filter((key) => map.get(key) !== expected.get(key) || map.has(key) !== expected.has(key))
          expect(wrong).toEqual([])
        }
      }),
      // Shrinking a failure would take minutes.
      { numRuns: 100, endOnFailure: true },
    )
  })

  it('can branch from one state', () => {
    const one = createAccountMap([['a', accountOf('a')]])
    const [left, right] = [one.change([['b', accountOf('left')]]), one.change([['b', accountOf('right')]])]
    expect([one.get('b'), left.get('b')?.playerId, right.get('b')?.playerId]).toEqual([undefined, 'left', 'right'])
  })
})
