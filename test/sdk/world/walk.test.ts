import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Session } from '../../../sdk/connection/connect.ts'
import { WalkError } from '../../../sdk/world/walk.ts'
import { type WatchedWorld, watchWorld } from '../../../sdk/world/watch-world.ts'
import { createFakeGame } from '../support/fake-session.ts'

let game: ReturnType<typeof createFakeGame>
let session: Session
let world: WatchedWorld
beforeEach(async () => {
  game = createFakeGame()
  session = await game.enter()
  world = watchWorld(session, game.held.timers.now, game.held.timers)
  await session.ping()
})
afterEach(() => game.close())

const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve))
}
/** Lets the time of a walk pass. */
const pass = async (seconds: number) => {
  for (let step = 0; step < seconds * 10; step += 1) {
    game.held.advance(100)
    await settle()
  }
}
const put = (edits: readonly { readonly x: number; readonly y: number; readonly z: number }[], type = 'stone') =>
  session.edit(edits.map((place) => ({ ...place, type })))
const wall = (x: number, heights: readonly number[]) => [-2, -1, 0, 1, 2, 3].flatMap((z) => heights.map((y) => ({ x, y, z })))

describe('a walk', () => {
  it('resolves at the place, at the walking speed', async () => {
    const walk = world.walkTo(4.5, 3.5)
    await pass(0.5)
    expect(session.position().x).toBeLessThan(2.6)
    await pass(2)
    await walk
    expect(session.position()).toMatchObject({ x: 4.5, y: 64, z: 3.5 })
  })

  it('goes up and down a step', async () => {
    await put(wall(2, [64]))
    const walk = world.walkTo(4.5, 0.5)
    await pass(0.5)
    expect(session.position().y).toBe(65)
    await pass(2)
    await walk
    expect(session.position()).toMatchObject({ x: 4.5, y: 64 })
  })

  it('rejects in front of a wall', async () => {
    await put(wall(3, [64, 65, 66]))
    const walk = world.walkTo(6.5, 0.5).catch((error: unknown) => error)
    await pass(2)
    expect(await walk).toBeInstanceOf(WalkError)
    expect(await walk).toMatchObject({ code: 'blocked', message: expect.stringContaining('A block is in the way.') })
    expect(session.position().x).toBeLessThan(2.8)
  })

  it('rejects with the reason of a Correction', async () => {
    const walk = world.walkTo(6.5, 0.5).catch((error: unknown) => error)
    const position = { x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0 }
    game.server.say({ $case: 'correction', value: { seq: 0, position, reason: 'zone-closed' } })
    await pass(1)
    expect(await walk).toMatchObject({ code: 'zone-closed' })
  })

  it('rejects when the land there stays unknown', async () => {
    const walk = world.walkTo(200.5, 0.5).catch((error: unknown) => error)
    await pass(25)
    expect(await walk).toMatchObject({ code: 'not-loaded' })
  })

  it('ends with the reason of its signal, and when another begins', async () => {
    const stop = new AbortController()
    const first = world.walkTo(6.5, 0.5, { signal: stop.signal }).catch((error: unknown) => error)
    stop.abort(new Error('enough'))
    expect(await first).toMatchObject({ message: 'enough' })
    const second = world.walkTo(6.5, 0.5).catch((error: unknown) => error)
    const third = world.walkTo(1.5, 0.5)
    expect(await second).toMatchObject({ code: 'replaced' })
    await pass(1)
    await third
    expect(session.position().x).toBe(1.5)
  })

  it('rejects when the session ends', async () => {
    const walk = world.walkTo(6.5, 0.5).catch((error: unknown) => error)
    await session.close()
    await pass(1)
    expect(await walk).toMatchObject({ name: 'SessionEndedError', code: 'left' })
  })
})

describe('the ground', () => {
  it('is the highest place where a player can stand', async () => {
    await put([{ x: 5, y: 70, z: 5 }])
    expect(world.findGround(5.5, 5.5)).toBe(71)
    expect(world.findGround(5.5, 5.5, 70)).toBe(64)
    expect(world.findGround(7.5, 5.5)).toBe(64)
  })

  it('is undefined in unknown columns, and without room to stand', async () => {
    expect(world.findGround(500.5, 0.5)).toBeUndefined()
    await put([{ x: 5, y: 65, z: 5 }])
    expect(world.findGround(5.5, 5.5)).toBe(66)
    expect(world.findGround(5.5, 5.5, 65)).toBeUndefined()
  })
})
