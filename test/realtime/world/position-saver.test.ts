import { describe, expect, it } from '@jest/globals'
import { createPositionSaver, type SavedBody } from '../../../realtime/world/position-saver.ts'
import { readSavedPosition } from '../../../shared/domain/players/player-state.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Write } from '../../../shared/platform/storage/store.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const worldId = '0b9d5a0e-3c64-4d50-8f3c-6f4f0f3e3c11'

const createScene = () => {
  const store = createMemoryStore()
  const { log, lines } = createCapturedLog()
  const state = {
    commits: [] as number[],
    failure: undefined as Error | undefined,
    /** The number of commits that fail before one succeeds. */
    failures: 0,
    isHeld: false,
    finished: 0,
    hasLease: true,
  }
  const watched = {
    ...store,
    commit: async (writes: readonly Write[]) => {
      state.commits.push(writes.length)
      try {
        await waitFor(() => !state.isHeld)
        if (state.failure !== undefined) throw state.failure
        if (state.failures > 0) {
          state.failures -= 1
          throw new Error('not this time')
        }
        return await store.commit(writes)
      } finally {
        state.finished += 1
      }
    },
  }
  const keeper = createPositionSaver({ store: watched, worldId, lease: { isHeld: () => state.hasLease }, log })
  const join = (playerId: string, x = 0): SavedBody & { x: number } => {
    const body = { playerId, x, y: 64, z: 0, yaw: 0, pitch: 0 }
    keeper.follow(body)
    return body
  }
  const stored = async (playerId: string) => (await readSavedPosition(store, worldId, playerId))?.x
  /** Runs a tick, and waits for the batch that it started. */
  const step = async (nowMs: number) => {
    keeper.step(nowMs)
    await waitFor(() => state.finished === state.commits.length)
  }
  return { keeper, store, state, lines, join, stored, step }
}

describe('positions of players', () => {
  it('are stored every ten seconds for players who moved, and for no others', async () => {
    const { state, join, stored, step } = createScene()
    const ann = join('ann', 1)
    join('bob', 2)
    await step(0)
    expect([await stored('ann'), await stored('bob')]).toEqual([1, 2])
    ann.x = 3
    await step(9_999)
    expect(await stored('ann')).toBe(1)
    await step(10_000)
    expect(await stored('ann')).toBe(3)
    await step(20_000)
    expect(state.commits).toEqual([2, 1])
  })

  it('are stored at once when a player leaves or loses the connection', async () => {
    const { keeper, join, stored, step } = createScene()
    const [ann, bob] = [join('ann'), join('bob')]
    await step(0)
    Object.assign(ann, { x: 5 })
    Object.assign(bob, { x: 6 })
    keeper.leave(ann)
    keeper.note(bob)
    Object.assign(ann, { x: 99 })
    await step(50)
    expect([await stored('ann'), await stored('bob')]).toEqual([5, 6])
  })

  it('are written in batches of ten, one after the other, so that no tick has much to do', async () => {
    const { keeper, state, join, stored, step } = createScene()
    for (let i = 0; i < 25; i += 1) join(`player-${i}`, i)
    state.isHeld = true
    keeper.step(0)
    keeper.step(50)
    keeper.step(100)
    expect(state.commits).toEqual([10])
    state.isHeld = false
    for (let i = 3; i < 8; i += 1) await step(i * 50)
    expect(state.commits).toEqual([10, 10, 5])
    expect(await stored('player-24')).toBe(24)
  })

  it('are readable before they are written', async () => {
    const { keeper, state, join, step } = createScene()
    const ann = join('ann', 7)
    expect(await keeper.read('ann')).toBeUndefined()
    keeper.leave(ann)
    expect(await keeper.read('ann')).toMatchObject({ x: 7 })
    state.isHeld = true
    keeper.step(0)
    expect(await keeper.read('ann')).toMatchObject({ x: 7 })
    state.isHeld = false
    await step(50)
    expect(await keeper.read('ann')).toMatchObject({ x: 7 })
  })

  it('are written again later after a fault, and logged once', async () => {
    const { state, lines, join, stored, step } = createScene()
    join('ann', 1)
    state.failure = new AppError('unavailable', 'storage-full', 'There is no room.')
    await step(0)
    await step(1_000)
    expect(state.commits).toEqual([1])
    await step(5_000)
    expect(state.commits).toEqual([1, 1])
    expect(lines.filter(({ msg }) => String(msg).includes('could not be written'))).toHaveLength(1)
    state.failure = undefined
    await step(10_000)
    expect(await stored('ann')).toBe(1)
    expect(lines.at(-1)).toMatchObject({ msg: 'positions of players are written again' })
  })

  it('keep the newer place when an older one could not be written', async () => {
    const { keeper, state, join, stored, step } = createScene()
    const ann = join('ann', 1)
    state.failure = new Error('no')
    state.isHeld = true
    keeper.step(0)
    ann.x = 2
    keeper.note(ann)
    state.isHeld = false
    await step(50)
    state.failure = undefined
    await step(5_050)
    expect(await stored('ann')).toBe(2)
  })
})

describe('places of a world whose lease is not held', () => {
  it('do not overwrite those of another holder, and are written once it is held again', async () => {
    const { keeper, state, join, stored } = createScene()
    join('ann', 4)
    state.hasLease = false
    keeper.step(0)
    await expect(keeper.flush()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(state.commits).toEqual([])
    state.hasLease = true
    expect(await keeper.flush()).toBe(1)
    expect(await stored('ann')).toBe(4)
  })
})

describe('a flush of places', () => {
  it('writes the places of all players at once, and returns the count', async () => {
    const { keeper, state, join, stored, step } = createScene()
    const first = join('player-0')
    const bodies = [first, ...Array.from({ length: 22 }, (_, i) => join(`player-${i + 1}`))]
    await step(0)
    for (const body of bodies) body.x = 8
    keeper.leave(first)
    expect(await keeper.flush()).toBe(23)
    expect([await stored('player-0'), await stored('player-22')]).toEqual([8, 8])
    expect(state.commits.every((writes) => writes <= 10)).toBe(true)
    expect(await keeper.flush()).toBe(0)
  })

  it('has many batches in flight at once, because players are frozen during a hand-over', async () => {
    const { keeper, state, join, stored } = createScene()
    for (let i = 0; i < 405; i += 1) join(`player-${i}`, i)
    state.isHeld = true
    const flushing = keeper.flush()
    expect(state.commits.length).toBeGreaterThan(10)
    expect(await keeper.read('player-0')).toMatchObject({ x: 0 })
    expect(await keeper.read('player-404')).toMatchObject({ x: 404 })
    state.isHeld = false
    expect(await flushing).toBe(405)
    expect(state.commits.every((writes) => writes <= 10)).toBe(true)
    expect([await stored('player-0'), await stored('player-404')]).toEqual([0, 404])
  })

  it('keeps a batch that failed while others were written', async () => {
    const { keeper, state, join, stored } = createScene()
    const bodies = Array.from({ length: 25 }, (_, i) => join(`player-${i}`, i))
    state.failures = 1
    await expect(keeper.flush()).rejects.toThrow('this time')
    expect(keeper.waiting()).toBe(10)
    for (const body of bodies) body.x += 100
    expect(await keeper.flush()).toBe(25)
    expect([await stored('player-0'), await stored('player-24')]).toEqual([100, 124])
  })

  it('rejects on a fault, and loses nothing', async () => {
    const { keeper, state, join, stored } = createScene()
    join('ann', 4)
    state.failure = new AppError('unavailable', 'storage-full', 'There is no room.')
    await expect(keeper.flush()).rejects.toMatchObject({ slug: 'storage-full' })
    state.failure = undefined
    expect(await keeper.flush()).toBe(1)
    expect(await stored('ann')).toBe(4)
  })
})
