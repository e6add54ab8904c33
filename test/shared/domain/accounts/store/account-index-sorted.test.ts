import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Account } from '../../../../../shared/domain/accounts/account.ts'
import { changeAccountIndex, createWarmAccountIndex } from '../../../../../shared/domain/accounts/store/account-index.ts'
import { changeSorted, sortInStretches } from '../../../../../shared/domain/accounts/store/sorted-list.ts'

const accountOf = (email: string, displayName: string): Account => ({
  email,
  displayName,
  playerId: email,
  groups: [],
  createdAt: '2026-01-01T00:00:00.000Z',
})

const emails = fc.oneof(fc.constantFrom('a', 'aa', 'b', 'Z', '\u{1F600}', '\uFFEE'), fc.string({ maxLength: 2 }))
const firsts = fc.uniqueArray(emails, { maxLength: 12 })
const steps = fc.array(fc.array(fc.tuple(emails, fc.option(fc.constantFrom('x', 'y'), { nil: undefined })), { minLength: 1 }), {
  maxLength: 8,
})

describe('the sorted accounts of an index', () => {
  it('are in UTF-16 order of their emails after every change, and immutable', async () => {
    await fc.assert(
      fc.asyncProperty(firsts, steps, async (first, changes) => {
        const warm = await createWarmAccountIndex(
          first.map((email) => accountOf(email, 'first')),
          () => undefined,
        )
        if (!warm) throw new Error('the emails are distinct')
        const indexes = [warm]
        for (const change of changes) {
          const entries = change.map(([email, name]) => [email, name === undefined ? name : accountOf(email, name)] as const)
          indexes.push(changeAccountIndex(indexes.at(-1) ?? warm, new Map(entries)))
        }
        for (const index of indexes)
          expect(index.sorted()).toEqual([...index.byEmail.values()].sort((a, b) => (a.email < b.email ? -1 : 1)))
      }),
    )
  })

  it('are ready before the first read when the index is warmed', async () => {
    const one = accountOf('one', 'One')
    const index = await createWarmAccountIndex([one], () => undefined)
    expect(index?.made().sorted).toEqual([one])
    expect(index?.made().names).toMatchObject([{ account: one }])
  })

  it('cannot be built with a duplicate email', async () => {
    expect(await createWarmAccountIndex([accountOf('one', 'One'), accountOf('one', 'Two')], () => undefined)).toBeUndefined()
  })

  it('are sorted correctly over many slices, with a pause after each', async () => {
    const keys = Array.from({ length: 5000 }, (_, at) => String((at * 7919) % 5000))
    let pauses = 0
    const sorted = await sortInStretches(
      keys,
      (key) => key,
      () => {
        pauses += 1
        return undefined
      },
    )
    expect(sorted).toEqual([...keys].sort())
    expect(pauses).toBeGreaterThan(3)
  })

  it('are sorted correctly when ten thousand change at once', () => {
    const keys = Array.from({ length: 12_000 }, (_, at) => String((at * 7919) % 12_000))
    const sorted = changeSorted(['0', '5', 'z'], (key) => key, new Map(keys.map((key) => [key, key])))
    expect(sorted).toEqual([...keys, 'z'].sort())
  })
})
