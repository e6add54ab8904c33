import { expect, it } from '@jest/globals'
import { createDeletedAccounts } from '../../../../shared/domain/accounts/deleted-accounts.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { makeAccount } from '../../../support/accounts/stored-accounts.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const dayMs = 86_400_000
const keepAll = async () => undefined

it('keeps deleted accounts for 30 days and then removes any number of them', async () => {
  const clock = createFixedClock()
  const store = createMemoryStore()
  const deleted = createDeletedAccounts({ store, clock })
  const old = Array.from({ length: 250 }, (_, at) => makeAccount(`old-${at}@example.com`))
  for (const account of old) await deleted.keep(account)
  clock.advance(20 * dayMs)
  const young = makeAccount('young@example.com')
  await deleted.keep(young)
  expect(await deleted.find(old[0]?.playerId ?? '')).toEqual(old[0])
  clock.advance(11 * dayMs)
  for (const { playerId } of old) expect(await deleted.find(playerId)).toBeUndefined()
  await deleted.sweep(() => false, keepAll)
  // With the clock set back, a remaining record would be found.
  clock.advance(-11 * dayMs)
  for (const { playerId } of old) expect(await deleted.find(playerId)).toBeUndefined()
  expect(await deleted.find(young.playerId)).toEqual(young)
})

it('erases the data of an account before the account, and not while the deletion can be undone', async () => {
  const [clock, store] = [createFixedClock(), createMemoryStore()]
  const deleted = createDeletedAccounts({ store, clock })
  const account = makeAccount('gone@example.com')
  const erased: string[] = []
  const sweep = () =>
    deleted.sweep(
      () => false,
      async (playerId) => {
        expect(await deleted.has(playerId)).toBe(true)
        erased.push(playerId)
      },
    )
  await deleted.keep(account)
  await sweep()
  expect(erased).toEqual([])
  clock.advance(31 * dayMs)
  await sweep()
  await sweep()
  expect(erased).toEqual([account.playerId])
})
