import { expect, it } from '@jest/globals'
import { createAccountIndex } from '../../../../../shared/domain/accounts/store/account-index.ts'
import { makeAccount } from '../../../../support/accounts/stored-accounts.ts'

const ann = { ...makeAccount('ann@example.com'), subject: 's' }
const bob = makeAccount('bob@example.com')

it('finds an account only by its new keys, also after the same change twice', () => {
  const index = createAccountIndex([bob, ann])
  const moved = { ...ann, email: 'zoe@example.com', displayName: 'Zoe', subject: 't' }
  expect(index.sorted()).toEqual([ann, bob])
  for (let times = 0; times < 2; times += 1) {
    index.apply(new Map([[ann.email, moved]]))
    expect(index.sorted()).toEqual([bob, moved])
    expect([...index.byName.values()]).toEqual([[bob], [moved]])
    expect([...index.bySubject]).toEqual([['t', moved]])
    expect(index.byPlayerId.get(ann.playerId)).toBe(moved)
  }
})

it('gives the subject of a removed account to another one in the same change', () => {
  const index = createAccountIndex([ann, bob])
  index.apply(
    new Map([
      [bob.email, { ...bob, subject: 's' }],
      [ann.email, undefined],
    ]),
  )
  expect(index.bySubject.get('s')?.email).toBe(bob.email)
  expect(index.isFree(ann)).toBe(false)
  expect(index.isFree({ ...ann, subject: 'u' })).toBe(true)
})
