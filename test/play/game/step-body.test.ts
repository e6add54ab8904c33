import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Body, type Intent, type StepWorld, stepBody } from '../../../play/game/step-body.ts'
import { findBlockRefusal } from '../../../sdk/world.ts'

const still: Intent = { forward: 0, right: 0, jump: false, down: false, run: false, fly: false, stepUp: true, yaw: 0 }
const [air, stone, water] = [0, 1, 2]

/** Ground from y = 0 to 63, and other blocks; nothing beyond 40 blocks from the middle. */
const createWorld = (blocks: Readonly<Record<string, number>> = {}): StepWorld => {
  const blockAt = (x: number, y: number, z: number) => {
    if (Math.abs(x) > 40 || Math.abs(z) > 40) return undefined
    return blocks[`${x} ${y} ${z}`] ?? (y >= 0 && y < 64 ? stone : air)
  }
  return {
    solids: { loaded: { blockAt }, registry: { isSolid: (index) => index === stone } },
    isFluid: (x, y, z) => blockAt(Math.floor(x), Math.floor(y), Math.floor(z)) === water,
  }
}
const at = (x: number, y: number, z: number): Body => ({ x, y, z, vy: 0, onGround: false })
const go = (world: StepWorld, from: Body, intent: Partial<Intent>, steps: number): Body => {
  let body = from
  for (let step = 0; step < steps; step += 1) body = stepBody(world, body, { ...still, ...intent }, 1 / 60)
  return body
}

describe('a body in steps', () => {
  it('falls to the ground and stands on it', () => {
    const body = go(createWorld(), at(0.5, 70, 0.5), {}, 120)
    expect(body).toMatchObject({ x: 0.5, y: 64, z: 0.5, vy: 0, onGround: true })
  })

  it('has a floor at the bottom of the world, and jumps and steps up from there', () => {
    const dug = createWorld(Object.fromEntries(Array.from({ length: 64 }, (_, y) => [`0 ${y} 0`, air])))
    const body = go(dug, at(0.5, 4, 0.5), {}, 120)
    expect(body).toMatchObject({ x: 0.5, y: 0, z: 0.5, vy: 0, onGround: true })
    expect(go(dug, body, { jump: true }, 10).y).toBeGreaterThan(0.5)
    const stair = createWorld(
      Object.fromEntries([0, 1].flatMap((x) => Array.from({ length: 63 }, (_, y) => [`${x} ${x + y} 0`, air]))),
    )
    expect(go(stair, body, { forward: 1 }, 30)).toMatchObject({ y: 1, onGround: true })
  })

  it('walks in the view direction, 4.6 blocks a second, and no faster diagonally', () => {
    const east = go(createWorld(), at(0.5, 64, 0.5), { forward: 1, yaw: 0 }, 60)
    expect(east.x - 0.5).toBeCloseTo(4.6, 1)
    const south = go(createWorld(), at(0.5, 64, 0.5), { forward: 1, yaw: 90 }, 60)
    expect(south.z - 0.5).toBeCloseTo(4.6, 1)
    const right = go(createWorld(), at(0.5, 64, 0.5), { right: 1, yaw: 0 }, 60)
    expect(right.z - 0.5).toBeCloseTo(4.6, 1)
    const aslant = go(createWorld(), at(0.5, 64, 0.5), { forward: 1, right: 1 }, 60)
    expect(Math.hypot(aslant.x - 0.5, aslant.z - 0.5)).toBeCloseTo(4.6, 1)
  })

  it('jumps more than one block and less than two', () => {
    const world = createWorld()
    let [body, top] = [go(world, at(0.5, 64, 0.5), {}, 2), 0]
    for (let step = 0; step < 60; step += 1) {
      body = stepBody(world, body, { ...still, jump: step === 0 }, 1 / 60)
      top = Math.max(top, body.y)
    }
    expect(top - 64).toBeGreaterThan(1.1)
    expect(top - 64).toBeLessThan(1.9)
    expect(body).toMatchObject({ y: 64, onGround: true })
  })

  it('walks up one block, and not up two', () => {
    const stair = createWorld({ '2 64 0': stone })
    expect(go(stair, go(stair, at(0.5, 64, 0.5), {}, 2), { forward: 1 }, 25)).toMatchObject({ y: 65 })
    const wall = createWorld({ '2 64 0': stone, '2 65 0': stone })
    const stopped = go(wall, go(wall, at(0.5, 64, 0.5), {}, 2), { forward: 1 }, 60)
    expect(stopped.y).toBe(64)
    expect(stopped.x).toBeGreaterThan(1.65)
    expect(stopped.x).toBeLessThan(1.75)
    expect(go(stair, go(stair, at(0.5, 64, 0.5), {}, 2), { forward: 1, stepUp: false }, 60).y).toBe(64)
  })

  it('slides along a wall', () => {
    const wall = createWorld(
      Object.fromEntries([...Array(30).keys()].flatMap((z) => [64, 65].map((y) => [`2 ${y} ${z - 10}`, stone]))),
    )
    const body = go(wall, go(wall, at(0.5, 64, 0.5), {}, 2), { forward: 1, yaw: 45 }, 60)
    expect(body.z).toBeGreaterThan(3)
    expect(body.x).toBeLessThan(1.75)
  })

  it('swims up in water, and sinks slowly', () => {
    const pool = createWorld(
      Object.fromEntries(
        [...Array(9 * 9 * 6).keys()].map((n) => [
          `${(n % 9) - 4} ${58 + Math.floor(n / 81)} ${(Math.floor(n / 9) % 9) - 4}`,
          water,
        ]),
      ),
    )
    const sunk = go(pool, at(0.5, 62, 0.5), {}, 30)
    expect(sunk.y).toBeLessThan(62)
    expect(sunk.y).toBeGreaterThan(60.5)
    expect(go(pool, sunk, { jump: true }, 60).y).toBeGreaterThan(sunk.y + 1)
  })

  it('flies without falling', () => {
    expect(go(createWorld(), at(0.5, 80, 0.5), { fly: true }, 60).y).toBe(80)
    expect(go(createWorld(), at(0.5, 80, 0.5), { fly: true, jump: true }, 60).y).toBeCloseTo(88, 1)
    expect(go(createWorld(), at(0.5, 80, 0.5), { fly: true, down: true }, 60).y).toBeCloseTo(72, 1)
  })

  it('does not move while the land is not loaded', () => {
    const body = go(createWorld(), at(60, 100, 60), { forward: 1, jump: true }, 60)
    expect([body.x, body.y, body.z].map(Math.round)).toEqual([61, 100, 60])
    expect(body).toMatchObject({ vy: 0, onGround: false })
  })

  it('stays on the ground from step to step', () => {
    const world = createWorld()
    let body = go(world, at(0.5, 64, 0.5), {}, 2)
    for (let step = 0; step < 30; step += 1) {
      body = stepBody(world, body, { ...still, forward: 1 }, 1 / 60)
      expect(body).toMatchObject({ y: 64, onGround: true })
    }
  })

  it('never makes a step that the server refuses, for any land and keys', () => {
    const place = fc.tuple(
      fc.integer({ min: -4, max: 5 }),
      fc.integer({ min: 64, max: 68 }),
      fc.integer({ min: -4, max: 5 }),
      fc.constantFrom(stone, stone, water),
    )
    const keys = fc.record({
      forward: fc.constantFrom(-1, 0, 1),
      right: fc.constantFrom(-1, 0, 1),
      jump: fc.boolean(),
      down: fc.boolean(),
      run: fc.boolean(),
      fly: fc.boolean(),
      stepUp: fc.boolean(),
      yaw: fc.integer({ min: 0, max: 359 }),
    })
    fc.assert(
      fc.property(fc.array(place, { maxLength: 60 }), fc.array(keys, { minLength: 1, maxLength: 12 }), (places, intents) => {
        const world = createWorld(Object.fromEntries(places.map(([x, y, z, index]) => [`${x} ${y} ${z}`, index])))
        let body = at(0.5, 70, 0.5)
        for (const intent of intents)
          for (let step = 0; step < 10; step += 1) {
            const next = stepBody(world, body, intent, 1 / 60)
            const across = Math.hypot(next.x - body.x, next.z - body.z)
            const refusal = findBlockRefusal(world.solids, body, next)
            if (refusal !== undefined || across > 22 / 60 || Math.abs(next.y - body.y) > 80 / 60)
              throw new Error(`${refusal} from ${JSON.stringify(body)} to ${JSON.stringify(next)}`)
            body = next
          }
      }),
      { numRuns: 100 },
    )
  })
})
