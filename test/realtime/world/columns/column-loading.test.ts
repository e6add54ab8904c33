import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLoadedWorldFixture } from '../../../support/worlds/loaded-world-fixture.ts'

describe('new columns and a slow store', () => {
  let fixture: ReturnType<typeof createLoadedWorldFixture>
  beforeEach(() => {
    fixture = createLoadedWorldFixture()
  })
  afterEach(() => fixture.close())

  it('are generated only a bounded number ahead, and all of them once the store catches up', async () => {
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

describe('a column in a queue of thousands', () => {
  let fixture: ReturnType<typeof createLoadedWorldFixture>
  beforeEach(() => {
    fixture = createLoadedWorldFixture()
  })
  afterEach(() => fixture.close())

  const hurried = { cx: 2000, cz: 0 }

  /** A queue of 5,000 requested columns; one is finished in each tick. */
  const createQueue = async (distanceTo: (pos: { cx: number }) => number) => {
    const { world, generation, ticks } = fixture
    const holder = { distanceTo }
    generation.state.isHeldBack = true
    for (let cx = 0; cx < 5000; cx += 1) world.hold({ cx, cz: 0 }, holder)
    await ticks(200)
    const isNext = async (): Promise<boolean> => {
      const begun = generation.asked.length
      generation.waiting[begun - 1]?.finish()
      await ticks(2)
      return generation.asked.slice(begun).some(({ cx }) => cx === hurried.cx)
    }
    return { world, holder, isNext }
  }

  it('is generated next when another player nearby needs it', async () => {
    const { world, isNext } = await createQueue(() => 6)
    expect(await isNext()).toBe(false)
    world.hold(hurried, { distanceTo: () => 0 })
    expect(await isNext()).toBe(true)
  })

  it('is generated next when one of its many holders reports that they came nearer', async () => {
    let near = 6
    const { world, isNext } = await createQueue(() => 6)
    const crowd = Array.from({ length: 40 }, () => ({ distanceTo: () => 6 }))
    const comer = { distanceTo: () => near }
    for (const holder of [...crowd, comer]) world.hold(hurried, holder)
    expect(await isNext()).toBe(false)
    near = 0
    world.comeNearer(hurried, comer)
    expect(await isNext()).toBe(true)
  })
})
