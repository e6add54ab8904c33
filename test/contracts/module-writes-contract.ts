import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createModuleValues, type ModuleValues } from '../../realtime/modules/data/module-values.ts'
import type { Session } from '../../realtime/sessions/session.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { silentLog } from '../support/time/silent-log.ts'

const specOf = (name: string) => ({
  name,
  declare: {
    player: { schema: Type.Object({ coins: Type.Integer({ default: 10 }) }) },
    records: { sales: { schema: Type.Object({ item: Type.String() }) } },
  },
})
const [shop, bank] = [specOf('shop'), specOf('bank')]
type Coins = { coins: number }

/** The promises of records and commits of modules on a store; `open` gives an empty one. */
export const describeModuleWrites = (name: string, open: () => Promise<{ store: Store; dispose: () => Promise<void> }>): void => {
  describe(`durable writes of modules ${name}`, () => {
    let memory: Store
    let store: Store
    let dispose: () => Promise<void>
    let values: ModuleValues
    let isDown: boolean
    let holders: number
    let commits: number
    const worldId = systemIds.uuid()

    /** A process that holds the world after the others. */
    const openNode = async (): Promise<ModuleValues> => {
      holders += 1
      const node = createModuleValues({
        store,
        worldId,
        lease: { isHeld: () => true, fence: holders },
        tickRate: 20,
        call: (run) => run(),
        bytesMax: () => 1024,
        wrote: () => undefined,
        report: () => undefined,
        clock: systemClock,
        ids: systemIds,
        log: silentLog,
      })
      const apply = await node.prepare([shop, bank], [])
      apply([])
      return node
    }

    beforeEach(async () => {
      ;({ store: memory, dispose } = await open())
      isDown = false
      holders = 0
      commits = 0
      store = {
        ...memory,
        commit: async (writes) => {
          if (isDown) throw new AppError('unavailable', 'service-unavailable', 'The store is away.')
          commits += 1
          return memory.commit(writes)
        },
      }
      values = await openNode()
    })
    afterEach(() => dispose())

    const ann = systemIds.uuid()
    const enterAndPay = async (playerId = ann, module = 'shop'): Promise<void> => {
      values.enter({ account: { playerId }, verified: true } as Session, await values.load(playerId))
      const data = values.playerDataOf(module, playerId)?.value as Coins
      data.coins -= 5
    }
    const sales = () => {
      const { sales: records } = values.records(shop)
      if (records === undefined) throw new Error('The module declares sales.')
      return records
    }
    /** The coins and the sale that the next process finds after this one was killed. */
    const readAfterKill = async (saleId: string, playerId = ann) => {
      const next = await openNode()
      next.enter({ account: { playerId }, verified: true } as Session, await next.load(playerId))
      const sale = (await next.records(shop).sales?.get(saleId))?.value
      const coins = next.playerDataOf('shop', playerId)?.value as Coins
      return [coins.coins, (sale as { item: string } | undefined)?.item]
    }

    it('put stores the data of players that changed before it in the same commit', async () => {
      await enterAndPay()
      const before = commits
      await sales().put('a', { item: 'apple' })
      expect(commits).toBe(before + 1)
      expect(await readAfterKill('a')).toEqual([5, 'apple'])
    })

    it('commit stores the data of players that changed before it', async () => {
      await enterAndPay()
      await values.commit(shop, [{ record: 'sales', id: 'b', value: { item: 'pear' } }])
      expect(await readAfterKill('b')).toEqual([5, 'pear'])
    })

    it('delete stores the data of players that changed before it', async () => {
      await sales().put('a', { item: 'apple' })
      await enterAndPay()
      expect([await sales().delete('a'), await sales().delete('a')]).toEqual([true, false])
      expect(await readAfterKill('a')).toEqual([5, undefined])
    })

    it('delete finds a record for one of two callers', async () => {
      await sales().put('a', { item: 'apple' })
      const deleted = await Promise.all([sales().delete('a'), sales().delete('a')])
      expect(deleted.toSorted()).toEqual([false, true])
    })

    it('put stores more changed data than one commit takes before the record', async () => {
      const players = Array.from({ length: 12 }, () => systemIds.uuid())
      for (const playerId of players) await enterAndPay(playerId)
      await sales().put('a', { item: 'apple' })
      for (const playerId of players) expect(await readAfterKill('a', playerId)).toEqual([5, 'apple'])
    })

    it('put of many callers of a tick has an outcome for each', async () => {
      await sales().put('taken', { item: 'apple' })
      await enterAndPay()
      const outcomes = await Promise.allSettled([
        sales().put('a', { item: 'apple' }),
        sales().put('taken', { item: 'pear' }, { ifVersion: null }),
        sales().put('b', { item: 'pear' }),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await readAfterKill('b')).toEqual([5, 'pear'])
    })

    it('put during a write of the same data of players stores both', async () => {
      await enterAndPay()
      await Promise.all([values.flush(), sales().put('a', { item: 'apple' })])
      expect(await readAfterKill('a')).toEqual([5, 'apple'])
    })

    it('put leaves changed data of other modules to their own writes', async () => {
      await enterAndPay(ann, 'bank')
      await sales().put('a', { item: 'apple' })
      expect(values.waiting()).toBe(0)
      expect(await values.flush()).toBe(1)
    })

    it('put stores neither while the store is away, and both on the next try', async () => {
      await enterAndPay()
      isDown = true
      await expect(sales().put('a', { item: 'apple' })).rejects.toMatchObject({ kind: 'unavailable' })
      isDown = false
      expect(await readAfterKill('a')).toEqual([10, undefined])
      values = await openNode()
      await enterAndPay()
      await sales().put('a', { item: 'apple' })
      expect(await readAfterKill('a')).toEqual([5, 'apple'])
    })

    it('put whose precondition fails stores the data of players alone', async () => {
      await sales().put('a', { item: 'apple' })
      await enterAndPay()
      const refused = sales().put('a', { item: 'pear' }, { ifVersion: null })
      await expect(refused).rejects.toMatchObject({ slug: 'changed-since' })
      expect(await readAfterKill('a')).toEqual([5, 'apple'])
    })

    it('put of an earlier holder with changed data stores neither', async () => {
      const earlier = values
      await enterAndPay()
      await readAfterKill('a')
      await expect(earlier.records(shop).sales?.put('a', { item: 'apple' })).rejects.toMatchObject({ slug: 'lease-lost' })
      expect(await readAfterKill('a')).toEqual([10, undefined])
    })
  })
}
