import { beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createLiveData, type LiveData } from '../../../../realtime/modules/data/live-data.ts'
import { raiseDataFence } from '../../../../shared/domain/modules/data/data-fence.ts'
import { compileData } from '../../../../shared/domain/modules/data/data-kind.ts'
import {
  createModuleData,
  type DataKey,
  modulePlayers,
  playerDataId,
} from '../../../../shared/domain/modules/data/module-data.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const kind = compileData({ schema: Type.Object({ coins: Type.Integer({ default: 10, minimum: 0 }) }) }, { needsInitial: true })
const tickRate = 20
const tickMs = 1000 / tickRate

const keyOf = (playerId: string): DataKey => ({ collection: modulePlayers, id: playerDataId('shop', playerId), kind })

type Coins = { coins: number }

/** A node of the world with the fence, on a store. */
const openNode = (store: Store, fence = 1) => {
  const refusals: string[] = []
  let isHeld = true
  let fenced: ReturnType<typeof raiseDataFence> | undefined
  let nowMs = 0
  const data = createModuleData({ store, clock: createFixedClock(), ids: systemIds, report: () => undefined })
  const live: LiveData = createLiveData({
    store,
    data,
    fenced: () => {
      fenced ??= raiseDataFence(store, 'world', fence)
      return fenced
    },
    lease: { isHeld: () => isHeld },
    tickRate,
    wrote: () => undefined,
    refused: (_module, _id, why) => refusals.push(why),
    log: silentLog,
  })
  return {
    live,
    data,
    refusals,
    loseLease: () => {
      isHeld = false
    },
    enter: async (playerId: string, isKept?: () => boolean) => {
      const loaded = await live.load(keyOf(playerId))
      return live.hold('shop', keyOf(playerId), loaded, isKept) as { value: Coins }
    },
    tick: (ticks: number) => {
      for (let n = 0; n < ticks; n += 1) {
        nowMs += tickMs
        live.step(nowMs)
      }
    },
    leave: (playerId: string) => live.release(keyOf(playerId), nowMs),
    readStored: async (playerId: string) => (await data.read(keyOf(playerId)))?.value as Coins | undefined,
  }
}

describe('values of modules in memory', () => {
  let store: Store

  beforeEach(() => {
    store = createMemoryStore()
  })

  it('gives a new player the defaults, and writes nothing until they change', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    expect(ann.value).toEqual({ coins: 10 })
    node.tick(400)
    expect(await node.live.flush()).toBe(0)
    expect(await node.readStored('ann')).toBeUndefined()
  })

  it('writes a changed value within ten seconds, and once', async () => {
    const node = openNode(store)
    const players = await Promise.all(Array.from({ length: 30 }, (_, n) => node.enter(`p${n}`)))
    for (const player of players) player.value.coins += 1
    node.tick(tickRate * 10)
    await waitFor(() => {
      node.tick(1)
      return node.live.waiting() === 0
    })
    expect((await store.list(modulePlayers)).records).toHaveLength(30)
    const { version } = (await store.get(modulePlayers, 'shop/p3')) ?? {}
    node.tick(tickRate * 20)
    await node.live.flush()
    expect((await store.get(modulePlayers, 'shop/p3'))?.version).toBe(version)
  })

  it('writes the value of a player who leaves at the next tick', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    ann.value.coins = 3
    node.leave('ann')
    node.tick(1)
    await waitFor(async () => (await node.readStored('ann'))?.coins === 3)
  })

  it('gives a returning player the value in memory, even if it is not written yet', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    ann.value.coins = 4
    node.leave('ann')
    expect((await node.enter('ann')).value).toEqual({ coins: 4 })
  })

  it('forgets the value of a player who left over a minute ago, and reads it again', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    ann.value.coins = 4
    node.leave('ann')
    await node.live.flush()
    node.tick(tickRate * 75)
    expect(node.live.find(keyOf('ann'))).toBeUndefined()
    expect((await node.enter('ann')).value).toEqual({ coins: 4 })
  })

  it('gives an unverified sign-in the defaults, and keeps none of its changes', async () => {
    const node = openNode(store)
    await node.data.put(keyOf('ann'), { coins: 99 })
    const stranger = node.live.hold('shop', keyOf('ann'), undefined, () => false) as { value: Coins }
    expect(stranger.value).toEqual({ coins: 10 })
    stranger.value.coins = 0
    await node.live.flush()
    node.leave('ann')
    expect((await node.enter('ann')).value).toEqual({ coins: 99 })
  })

  it('keeps the stored value and reports a value that does not fit, once', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    ann.value.coins = 5
    await node.live.flush()
    ann.value.coins = -1
    await node.live.flush()
    await node.live.flush()
    expect(node.refusals).toEqual([expect.stringContaining('/coins')])
    expect(await node.readStored('ann')).toEqual({ coins: 5 })
    ann.value.coins = 6
    await node.live.flush()
    expect(await node.readStored('ann')).toEqual({ coins: 6 })
  })

  it('takes over a value that was changed elsewhere, and does not overwrite it', async () => {
    const node = openNode(store)
    const [ann, bob] = [await node.enter('ann'), await node.enter('bob')]
    await node.data.put(keyOf('ann'), { coins: 500 })
    ann.value.coins = 1
    bob.value.coins = 2
    await node.live.flush()
    expect([ann.value, await node.readStored('ann')]).toEqual([{ coins: 500 }, { coins: 500 }])
    expect(await node.readStored('bob')).toEqual({ coins: 2 })
    ann.value.coins += 1
    await node.live.flush()
    expect(await node.readStored('ann')).toEqual({ coins: 501 })
  })

  it('keeps its own change if the answer to a write was lost', async () => {
    let isLost = true
    const commit: Store['commit'] = async (writes) => {
      const versions = await store.commit(writes)
      if (!isLost || writes.every(({ collection }) => collection !== modulePlayers.name)) return versions
      isLost = false
      throw new AppError('unavailable', 'service-unavailable', 'No answer.')
    }
    const node = openNode({ ...store, commit })
    const ann = await node.enter('ann')
    ann.value.coins = 1
    await expect(node.live.flush()).rejects.toMatchObject({ kind: 'unavailable' })
    ann.value.coins = 2
    await node.live.flush()
    expect([ann.value, await node.readStored('ann')]).toEqual([{ coins: 2 }, { coins: 2 }])
  })

  it('writes nothing after another node has taken the world', async () => {
    const earlier = openNode(store, 1)
    const ann = await earlier.enter('ann')
    ann.value.coins = 1
    const later = openNode(store, 2)
    const there = await later.enter('ann')
    there.value.coins = 7
    await later.live.flush()
    await expect(earlier.live.flush()).rejects.toMatchObject({ slug: 'lease-lost' })
    expect(await later.readStored('ann')).toEqual({ coins: 7 })
  })

  it('writes nothing while the lease is in doubt', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    ann.value.coins = 1
    node.loseLease()
    await expect(node.live.flush()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await node.readStored('ann')).toBeUndefined()
  })

  it('gives all values to the next node of the world', async () => {
    const node = openNode(store, 1)
    const players = await Promise.all(Array.from({ length: 100 }, (_, n) => node.enter(`p${n}`)))
    for (const [n, player] of players.entries()) player.value.coins = n
    expect(await node.live.flush()).toBe(99)
    const next = openNode(store, 2)
    const there = await Promise.all(players.map((_, n) => next.enter(`p${n}`)))
    expect(there.map(({ value }) => value.coins)).toEqual(players.map((_, n) => n))
  })

  it('replaces a value and writes it, and refuses one that does not fit', async () => {
    const node = openNode(store)
    const ann = await node.enter('ann')
    node.live.replace(keyOf('ann'), { coins: 77 })
    expect(ann.value).toEqual({ coins: 77 })
    expect(() => node.live.replace(keyOf('ann'), { coins: 'many' })).toThrow(/\/coins/)
    await node.live.flush()
    expect(await node.readStored('ann')).toEqual({ coins: 77 })
  })
})
