import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createStreamingFixture, type StreamingFixture } from '../../../support/realtime/streaming-fixture.ts'

let fixture: StreamingFixture

beforeEach(() => {
  fixture = createStreamingFixture()
})
afterEach(() => fixture.close())

/** A player who waits for land behind a request for 10,000 columns at `distance`; one is generated in each tick. */
const createScene = async (distance: number) => {
  const { world, generation, ticks, step, join } = fixture
  generation.state.isHeldBack = true
  const crowd = { distanceTo: () => distance }
  for (let cx = 0; cx < 10_000; cx += 1) world.hold({ cx: cx + 10_000, cz: 0 }, crowd)
  const player = join({ x: 8, z: 8 }, { radius: 8 })
  await ticks(300)
  return {
    player,
    step,
    /** The columns that start while `count` others are finished. */
    begun: async (count: number): Promise<string[]> => {
      const before = generation.asked.length
      for (let i = 0; i < count; i += 1) {
        generation.waiting[i + before - 32]?.finish()
        await ticks(1)
      }
      await ticks(1)
      return generation.asked.slice(before).map(({ cx, cz }) => `${cx},${cz}`)
    },
  }
}

describe('land that a player waits for', () => {
  it('is generated next when they come near it', async () => {
    const { player, begun } = await createScene(4)
    expect(await begun(120)).not.toContain('8,0')
    player.body.x = 7 * 16 + 8
    expect(await begun(3)).toContain('8,0')
  })

  it('is generated next when they turn to it and stay, even without arrivals', async () => {
    const { player, step, begun } = await createScene(5)
    expect(await begun(120)).not.toContain('-4,0')
    player.body.yaw = 180
    step()
    expect(await begun(20)).toContain('-4,0')
  })

  it('is generated next when they walk to it, whatever they look at', async () => {
    const { player, step, begun } = await createScene(5)
    expect(await begun(120)).not.toContain('-4,0')
    for (let steps = 0; steps < 12; steps += 1) {
      player.body.x -= 0.2
      step()
    }
    expect(await begun(20)).toContain('-4,0')
  })

  it('is moved up at most twice a second, however they turn', async () => {
    const { player, step } = await createScene(5)
    let turns = 0
    for (let tick = 0; tick < 40; tick += 1) {
      player.body.yaw = (tick * 50) % 360
      const { direction } = player.view
      step()
      if (player.view.direction !== direction) turns += 1
    }
    expect(turns).toBe(4)
  })
})
