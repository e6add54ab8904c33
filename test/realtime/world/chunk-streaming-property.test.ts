import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { chunkCoordinate, chunkPosOf } from '../../../shared/rules/positions.ts'
import {
  createStreamingFixture,
  hasSameBlocks,
  type StreamingFixture,
  type StreamingPlayer,
} from '../../support/realtime/streaming-fixture.ts'

type Step = (fixture: StreamingFixture, players: StreamingPlayer[]) => void | Promise<void>

const who = fc.nat(1)
const blocks = fc.integer({ min: -40, max: 40 })

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(who, blocks, blocks).map(
      ([at, dx, dz]): Step =>
        (_, players) => {
          const { body } = players[at] as StreamingPlayer
          body.x += dx
          body.z += dz
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(who, fc.integer({ min: -3, max: 3 })).map(
      ([at, far]): Step =>
        (_, players) => {
          const { body } = players[at] as StreamingPlayer
          body.x = far * 300
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(who, fc.integer({ min: 0, max: 359 })).map(
      ([at, yaw]): Step =>
        (_, players) => {
          const { body } = players[at] as StreamingPlayer
          body.yaw = yaw
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(who, fc.integer({ min: 1, max: 5 })).map(
      ([at, radius]): Step =>
        (fixture, players) =>
          fixture.streaming.setRadius((players[at] as StreamingPlayer).view, radius),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(who, blocks, blocks, fc.constantFrom('air', 'planks', 'dirt')).map(
      ([at, dx, dz, type]): Step =>
        (fixture, players) => {
          const { body } = players[at] as StreamingPlayer
          fixture.edit(Math.floor(body.x + dx), 70, Math.floor(body.z + dz), type)
        },
    ),
  },
  {
    weight: 1,
    arbitrary: who.map(
      (at): Step =>
        (_, players) => {
          const player = players[at] as StreamingPlayer
          player.isSlow = !player.isSlow
          player.buffered = 0
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isHeldBack): Step =>
        ({ generation }) => {
          generation.state.isHeldBack = isHeldBack
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(40).map(
      (at): Step =>
        ({ generation }) => {
          for (const { finish } of generation.waiting.splice(at, 5).reverse()) finish()
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isAway): Step =>
        ({ faults }) => {
          faults.read = isAway ? new Error('away') : undefined
        },
    ),
  },
  {
    weight: 1,
    arbitrary: who.map(
      (at): Step =>
        (fixture, players) => {
          const { body, view } = players[at] as StreamingPlayer
          fixture.streaming.close(view)
          players[at] = fixture.join(body, { radius: 3 })
        },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 4 }).map(
      (count): Step =>
        ({ ticks }) =>
          ticks(count),
    ),
  },
)

const settle = async (fixture: StreamingFixture, players: readonly StreamingPlayer[]): Promise<void> => {
  fixture.faults.read = undefined
  fixture.generation.state.isHeldBack = false
  for (const player of players) Object.assign(player, { isSlow: false, buffered: 0 })
  for (let round = 0; round < 60; round += 1) {
    for (const { finish } of fixture.generation.waiting.splice(0)) finish()
    await fixture.ticks(5)
  }
}

const expectToKnowTheWorld = (fixture: StreamingFixture, { body, view, model }: StreamingPlayer): void => {
  const cx = chunkCoordinate(body.x)
  const cz = chunkCoordinate(body.z)
  const { radius } = view
  const known = new Set(model.list())
  const missing: string[] = []
  for (let x = cx - radius; x <= cx + radius; x += 1)
    for (let z = cz - radius; z <= cz + radius; z += 1) if (!known.has(`${x},${z}`)) missing.push(`${x},${z}`)
  expect(missing).toEqual([])
  for (const [key, chunk] of model.columns) {
    const pos = chunkPosOf(key)
    expect(Math.max(Math.abs(pos.cx - cx), Math.abs(pos.cz - cz))).toBeLessThanOrEqual(radius + 1)
    expect(fixture.streaming.has(view, pos.cx, pos.cz)).toBe(true)
    const column = fixture.world.find(pos.cx, pos.cz)
    expect(column !== undefined && hasSameBlocks(chunk, column.chunk)).toBe(true)
  }
}

describe('the world of a client', () => {
  it('equals the world around its player, after any walk with edits, delays and faults', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 60 }), async (plan) => {
        const fixture = createStreamingFixture()
        const players = [fixture.join({}, { radius: 3 }), fixture.join({ x: 50 }, { radius: 2, kind: 'text' })]
        for (const step of plan) await step(fixture, players)
        await settle(fixture, players)
        for (const player of players) expectToKnowTheWorld(fixture, player)
        for (const { view } of players) fixture.streaming.close(view)
        await fixture.ticks(1)
        expect(fixture.world.stats().loading).toBe(0)
        await fixture.close()
      }),
      { numRuns: 30 },
    )
  }, 180_000)
})
