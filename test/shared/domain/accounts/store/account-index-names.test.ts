import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Account } from '../../../../../shared/domain/accounts/account.ts'
import { nameSkeleton } from '../../../../../shared/domain/accounts/names/name-skeleton.ts'
import { changeAccountIndex, createAccountIndex } from '../../../../../shared/domain/accounts/store/account-index.ts'

const accountOf = (email: string, displayName: string): Account => ({
  email,
  displayName,
  playerId: email,
  groups: [],
  createdAt: '2026-01-01T00:00:00.000Z',
})

// A hand edit may leave an email empty.
const emails = fc.constantFrom('a', 'b', 'c', 'd', '')
const skeletons = ['Ann', 'Bob', 'Cy', 'An', ''].map(nameSkeleton)
const names = fc.constantFrom('Ann', 'ann', 'Bob', 'B0b', 'Cy')
const steps = fc.array(fc.array(fc.tuple(emails, fc.option(names, { nil: undefined })), { minLength: 1, maxLength: 4 }), {
  maxLength: 8,
})

describe('names in an index of accounts', () => {
  it('are taken until the last account with them is removed', () => {
    fc.assert(
      fc.property(steps, (changes) => {
        let index = createAccountIndex([])
        index.findByName('')
        for (const change of changes) {
          index = changeAccountIndex(
            index,
            new Map(change.map(([email, name]) => [email, name === undefined ? name : accountOf(email, name)])),
          )
          const accounts = [...index.byEmail.values()]
          for (const skeleton of skeletons) {
            const match = index.findByName(skeleton)
            const bearers = accounts.filter(({ displayName }) => nameSkeleton(displayName) === skeleton)
            expect(bearers).toEqual(match ? expect.arrayContaining([match]) : [])
          }
        }
      }),
    )
  })
})
