import { beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createModuleValues, type ModuleValues } from '../../../../realtime/modules/data/module-values.ts'
import type { Session } from '../../../../realtime/sessions/session.ts'
import { modulePlayers, playerDataId } from '../../../../shared/domain/modules/data/module-data.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const playerId = '00000000-0000-4000-8000-000000000001'
const session = { account: { playerId }, verified: true } as Session
const specOf = (name: string) => ({
  name,
  declare: { player: { schema: Type.Object({ count: Type.Integer({ default: 0 }) }) } },
})

describe('data of a player who joins while modules are loaded', () => {
  let values: ModuleValues
  let nowMs: number

  beforeEach(async () => {
    nowMs = 0
    const store = createMemoryStore()
    for (const name of ['notes', 'purse']) {
      const stored = { version: 1, value: { count: name === 'notes' ? 1 : 2 } }
      await store.put(modulePlayers, playerDataId(name, playerId), stored)
    }
    values = createModuleValues({
      store,
      worldId: 'world',
      lease: { isHeld: () => true, fence: 1 },
      tickRate: 20,
      call: (run) => run(),
      bytesMax: () => 1024,
      wrote: () => undefined,
      report: () => undefined,
      clock: { now: systemClock.now, monotonic: () => nowMs },
      ids: systemIds,
      log: silentLog,
    })
    const apply = await values.prepare([specOf('notes')], [])
    apply([])
  })

  const counts = () => ['notes', 'purse'].map((name) => values.playerDataOf(name, playerId))

  it('is read again when a module started during the read', async () => {
    const early = await values.load(playerId)
    const apply = await values.prepare([specOf('notes'), specOf('purse')], [])
    expect(values.hasAll(playerId, early)).toBe(false)
    apply([])
    expect(values.hasAll(playerId, early)).toBe(false)
    const late = await values.load(playerId)
    expect(values.hasAll(playerId, late)).toBe(true)
    values.enter(session, late)
    expect(counts()).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('is kept for a module that starts after the player has entered', async () => {
    const apply = await values.prepare([specOf('notes'), specOf('purse')], [])
    const loaded = await values.load(playerId)
    expect(values.hasAll(playerId, loaded)).toBe(true)
    values.enter(session, loaded)
    apply([session])
    expect(counts()).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('is read again when it left the memory during the read', async () => {
    values.enter(session, await values.load(playerId))
    const slow = await values.load(playerId)
    values.leave(session)
    expect(values.hasAll(playerId, slow)).toBe(true)
    for (nowMs = 0; nowMs < 120_000; nowMs += 500) values.step(nowMs)
    expect(values.hasAll(playerId, slow)).toBe(false)
  })
})

describe('a durable write of a module', () => {
  const spec = {
    name: 'shop',
    declare: {
      player: { schema: Type.Object({ coins: Type.Integer({ default: 10 }) }) },
      records: { sales: { schema: Type.Object({ item: Type.String() }) } },
    },
  }
  const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  let store: Store
  let values: ModuleValues
  let isDown: boolean

  beforeEach(async () => {
    isDown = false
    const memory = createMemoryStore()
    store = {
      ...memory,
      commit: async (writes) => {
        if (isDown) throw new AppError('unavailable', 'service-unavailable', 'The store is away.')
        return memory.commit(writes)
      },
    }
    values = createModuleValues({
      store,
      worldId: 'world',
      lease: { isHeld: () => true, fence: 1 },
      tickRate: 20,
      call: (run) => run(),
      bytesMax: () => 1024,
      wrote: () => undefined,
      report: () => undefined,
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
    })
    const apply = await values.prepare([spec], [])
    apply([])
  })

  const enterAndPay = async (n: number): Promise<void> => {
    const one = { account: { playerId: idOf(n) }, verified: true } as Session
    values.enter(one, await values.load(idOf(n)))
    const data = values.playerDataOf('shop', idOf(n)) as { coins: number }
    data.coins -= 5
  }
  const storedCoins = async (n: number) => (await store.get(modulePlayers, playerDataId('shop', idOf(n))))?.value
  const sales = () => values.records(spec).sales
  const storedSale = async (id: string) => (await sales()?.get(id))?.value
  const paid = { version: 1, value: { coins: 5 } }

  it('stores the data of players that changed before it', async () => {
    await enterAndPay(1)
    await sales()?.put('a', { item: 'apple' })
    expect([await storedCoins(1), await storedSale('a')]).toEqual([paid, { item: 'apple' }])
    await enterAndPay(2)
    await values.commit(spec, [{ record: 'sales', id: 'b', value: { item: 'pear' } }])
    expect([await storedCoins(2), await storedSale('b')]).toEqual([paid, { item: 'pear' }])
    await enterAndPay(3)
    expect([await sales()?.delete('a'), await sales()?.delete('a')]).toEqual([true, false])
    expect(await storedCoins(3)).toEqual(paid)
  })

  it('deletes a record for one of two callers', async () => {
    await sales()?.put('a', { item: 'apple' })
    const deleted = await Promise.all([sales()?.delete('a'), sales()?.delete('a')])
    expect(deleted.toSorted()).toEqual([false, true])
  })

  it('stores more changed data than one commit takes before the record', async () => {
    for (let n = 1; n <= 12; n += 1) await enterAndPay(n)
    await sales()?.put('a', { item: 'apple' })
    for (let n = 1; n <= 12; n += 1) expect(await storedCoins(n)).toEqual(paid)
  })

  it('stores neither while the store is away, and both on the next try', async () => {
    await enterAndPay(1)
    isDown = true
    await expect(sales()?.put('a', { item: 'apple' })).rejects.toMatchObject({ kind: 'unavailable' })
    expect([await storedCoins(1), await storedSale('a')]).toEqual([undefined, undefined])
    isDown = false
    await sales()?.put('a', { item: 'apple' })
    expect([await storedCoins(1), await storedSale('a')]).toEqual([paid, { item: 'apple' }])
  })

  it('stores the data of players also if its precondition fails', async () => {
    await sales()?.put('a', { item: 'apple' })
    await enterAndPay(1)
    await expect(sales()?.put('a', { item: 'pear' }, { ifVersion: null })).rejects.toMatchObject({ slug: 'changed-since' })
    expect([await storedCoins(1), await storedSale('a')]).toEqual([paid, { item: 'apple' }])
  })
})
