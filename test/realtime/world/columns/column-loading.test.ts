import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLoadedWorldFixture } from '../../../support/worlds/loaded-world-fixture.ts'

describe('new columns that the store is slow to take', () => {
  let fixture: ReturnType<typeof createLoadedWorldFixture>
  beforeEach(() => {
    fixture = createLoadedWorldFixture()
  })
  afterEach(() => fixture.close())

  it('are made no further ahead of it than a bounded number, and all of them once it follows', async () => {
    const { world, generation, writes, ticks } = fixture
    const [wanted, aheadMax] = [2500, 1600]
    let release = (): void => {}
    writes.held = new Promise((resolve) => {
      release = resolve
    })
    for (let cx = 0; cx < wanted; cx += 1) world.hold({ cx, cz: 0 }, { distanceTo: () => 1 })
    await ticks(100)
    expect(generation.asked.length).toBeLessThanOrEqual(aheadMax)
    expect(world.stats().loaded).toBeLessThanOrEqual(aheadMax)
    release()
    await ticks(100)
    expect([generation.asked.length, world.stats().loaded]).toEqual([wanted, wanted])
  })
})
