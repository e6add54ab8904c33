import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { chunkPosOf } from '../../../../shared/rules/positions.ts'
import {
  createStreamingFixture,
  hasSameBlocks,
  type StreamingFixture,
  type StreamingPlayer,
} from '../../../support/realtime/streaming-fixture.ts'

let fixture: StreamingFixture

beforeEach(() => {
  fixture = createStreamingFixture()
})
afterEach(() => fixture.close())

const square = (cx: number, cz: number, radius: number): string[] => {
  const list: string[] = []
  for (let x = cx - radius; x <= cx + radius; x += 1) for (let z = cz - radius; z <= cz + radius; z += 1) list.push(`${x},${z}`)
  return list.sort()
}

const chunksOf = ({ received }: StreamingPlayer): { cx: number; cz: number }[] =>
  received.flatMap(({ $case, value }) => ($case === 'chunk' ? [{ cx: value.cx, cz: value.cz }] : []))

const goneOf = ({ received }: StreamingPlayer): string[] =>
  received.flatMap(({ $case, value }) => ($case === 'chunkGone' ? [`${value.cx},${value.cz}`] : [])).sort()

describe('a client that joins', () => {
  it.each(['binary', 'text'] as const)('gets the square of columns around its player, each once, in %s frames', async (kind) => {
    const player = fixture.join({ x: -20, z: 40 }, { radius: 3, kind })
    await fixture.ticks(12)
    expect(player.model.list()).toEqual(square(-2, 2, 3))
    expect(chunksOf(player)).toHaveLength(49)
    for (const [key, chunk] of player.model.columns) {
      const { cx, cz } = chunkPosOf(key)
      expect(hasSameBlocks(chunk, fixture.generation.terrain({ cx, cz }))).toBe(true)
    }
  })

  it('gets the nearest first, and those in front first among equals: yaw 0 is +x, 90 is +z', async () => {
    const other = fixture.join({}, { radius: 8 })
    await fixture.ticks(30)
    expect(other.model.columns.size).toBe(289)
    for (const [yaw, ahead, behind] of [
      [0, { cx: 3, cz: 0 }, { cx: -3, cz: 0 }],
      [90, { cx: 0, cz: 3 }, { cx: 0, cz: -3 }],
      [180, { cx: -3, cz: 0 }, { cx: 3, cz: 0 }],
      [359, { cx: 3, cz: 0 }, { cx: -3, cz: 0 }],
    ] as const) {
      const player = fixture.join({ yaw }, { radius: 8 })
      await fixture.ticks(20)
      const order = chunksOf(player)
      expect(order[0]).toEqual({ cx: 0, cz: 0 })
      const placeOf = (pos: { cx: number; cz: number }) => order.findIndex(({ cx, cz }) => cx === pos.cx && cz === pos.cz)
      expect(placeOf(ahead)).toBeLessThan(placeOf(behind))
      expect(placeOf(behind)).toBeLessThan(placeOf({ cx: 8, cz: 8 }))
      const distances = order.map(({ cx, cz }) => Math.hypot(cx, cz))
      for (let i = 1; i < distances.length; i += 1)
        expect(Math.max(...distances.slice(0, i))).toBeLessThanOrEqual((distances[i] ?? 0) * 2 + 1)
    }
  })

  it('gets at most 24 columns in a tick', async () => {
    fixture.join({}, { radius: 8 })
    await fixture.ticks(30)
    const player = fixture.join({}, { radius: 8 })
    for (let tick = 1; tick <= 12; tick += 1) {
      fixture.step()
      expect(chunksOf(player)).toHaveLength(tick * 24)
    }
    fixture.step()
    expect(chunksOf(player)).toHaveLength(289)
  })

  it('gets about 192 KiB in a tick when columns are large', async () => {
    const { world, registry, ticks, step, join } = fixture
    const builder = join({}, { radius: 4 })
    await ticks(10)
    const kinds = ['stone', 'dirt', 'grass', 'planks', 'bedrock'].map((id) => registry.find(id)?.index ?? 0)
    for (const { cx, cz } of chunksOf(builder))
      for (let i = 0; i < 40_000; i += 1)
        world.setBlock(cx * 16 + (i & 15), 64 + (i >> 8), cz * 16 + ((i >> 4) & 15), kinds[(i * 7 + (i >> 3)) % 5] ?? 0)
    const player = join({}, { radius: 4 })
    step()
    const largest = Math.max(...[...player.model.columns.keys()].map(() => 32_768))
    expect(player.bytes).toBeGreaterThanOrEqual(192 * 1024)
    expect(player.bytes).toBeLessThan(192 * 1024 + largest)
    expect(chunksOf(player).length).toBeLessThan(24)
  })

  it('gets available columns while nearer ones are still being generated', async () => {
    const { generation, join, ticks } = fixture
    const first = join({ x: 5 * 16 }, { radius: 1 })
    await ticks(6)
    generation.state.isHeldBack = true
    const player = join({ x: 3 * 16 }, { radius: 1 })
    await ticks(6)
    expect(first.model.columns.size).toBe(9)
    expect(player.model.list()).toEqual(square(4, 0, 0).concat(['4,-1', '4,1']).sort())
  })
})

describe('many clients', () => {
  it('share the frame of a column: it is encoded once for each kind of frame', async () => {
    const players = Array.from({ length: 5 }, () => fixture.join({}, { radius: 3 }))
    players.push(fixture.join({}, { radius: 3, kind: 'text' }))
    await fixture.ticks(15)
    for (const { model } of players) expect(model.columns.size).toBe(49)
    expect(fixture.streaming.stats()).toEqual({ views: 6, sent: 6 * 49, encoded: 2 * 49 })
  })

  it('are served in turns when a tick has no time for all', async () => {
    const { clock, join, ticks, step } = fixture
    join({}, { radius: 8 })
    await ticks(30)
    const players = Array.from({ length: 20 }, () => join({}, { radius: 8 }))
    const { monotonic } = clock
    // Each read of the clock takes 2 ms, so that three or four clients are served in a tick.
    Object.assign(clock, {
      monotonic: () => {
        clock.advance(2)
        return monotonic()
      },
    })
    for (let tick = 0; tick < 7; tick += 1) step()
    const counts = players.map((player) => chunksOf(player).length)
    expect(Math.min(...counts)).toBe(24)
    expect(Math.max(...counts)).toBe(48)
    for (let tick = 0; tick < 90; tick += 1) step()
    for (const { model } of players) expect(model.columns.size).toBe(289)
  })
})

describe('a client that reads slowly', () => {
  it('gets no column while 256 KiB wait for it, and the rest once it reads again', async () => {
    const { join, ticks } = fixture
    const player = join({}, { radius: 8 })
    player.buffered = 256 * 1024
    await ticks(20)
    expect(player.frames).toBe(0)
    player.buffered = 0
    await ticks(20)
    expect(player.model.columns.size).toBe(289)
  })

  it('gets nothing beyond its backlog, not even ChunkGone, and everything in the end', async () => {
    const { join, ticks } = fixture
    const player = join({}, { radius: 4 })
    await ticks(10)
    player.isSlow = true
    player.buffered = 300_000
    player.body.x = 1600
    await ticks(10)
    expect(goneOf(player)).toEqual([])
    player.isSlow = false
    player.buffered = 0
    await ticks(10)
    expect(player.model.list()).toEqual(square(100, 0, 4))
  })
})

describe('a player who moves', () => {
  it('loses columns more than one beyond the radius, and no others', async () => {
    const player = fixture.join({ x: 8 }, { radius: 2 })
    await fixture.ticks(6)
    player.body.x = 24
    await fixture.ticks(4)
    expect(goneOf(player)).toEqual([])
    expect(player.model.list()).toEqual([...square(1, 0, 2), '-2,-2', '-2,-1', '-2,0', '-2,1', '-2,2'].sort())
    player.body.x = 40
    await fixture.ticks(4)
    expect(goneOf(player)).toEqual(['-2,-2', '-2,-1', '-2,0', '-2,1', '-2,2'].sort())
  })

  it('along a border receives no message twice', async () => {
    const player = fixture.join({ x: 8 }, { radius: 2 })
    await fixture.ticks(6)
    for (let step = 0; step < 10; step += 1) {
      player.body.x = step % 2 === 0 ? 16.1 : 15.9
      await fixture.ticks(2)
    }
    expect(goneOf(player)).toEqual([])
    expect(chunksOf(player)).toHaveLength(30)
  })

  it('has the current columns after a teleport far away and back', async () => {
    const { join, ticks, edit, step } = fixture
    const player = join({}, { radius: 3 })
    const watcher = join({}, { radius: 3 })
    await ticks(10)
    player.body.x = 1_000_000
    step()
    edit(1, 100, 1, 'planks')
    player.body.x = 0
    await ticks(10)
    for (const { model } of [player, watcher]) {
      expect(model.list()).toEqual(square(0, 0, 3))
      for (const [key, chunk] of model.columns) {
        const { cx, cz } = chunkPosOf(key)
        expect(hasSameBlocks(chunk, fixture.world.find(cx, cz)?.chunk ?? chunk)).toBe(true)
      }
    }
    expect(fixture.world.blockAt(1, 100, 1)).toBe(fixture.registry.find('planks')?.index)
  })

  it('has all columns after a teleport away and back before the messages are sent', async () => {
    const { join, ticks, step } = fixture
    const player = join({}, { radius: 8 })
    await ticks(30)
    player.body.x = 1_000_000
    step()
    player.body.x = 0
    await ticks(30)
    expect(player.model.list()).toEqual(square(0, 0, 8))
  })

  it('has the columns of other players after a teleport to them', async () => {
    const { join, ticks } = fixture
    join({}, { radius: 4 })
    const player = join({ x: 4000 }, { radius: 4 })
    await ticks(20)
    player.body.x = 0
    await ticks(10)
    expect(player.model.list()).toEqual(square(0, 0, 4))
  })

  it('at the edge of the world has the columns inside it', async () => {
    const player = fixture.join({ x: 30_000_000, z: -30_000_000 }, { radius: 2 })
    await fixture.ticks(8)
    expect(player.model.list()).toEqual(
      square(1_875_000, -1_875_000, 2).filter((pos) => {
        const [cx = 0, cz = 0] = pos.split(',').map(Number)
        return cx <= 1_874_999 && cz >= -1_875_000
      }),
    )
  })

  it('gets more columns for a larger view, and ChunkGone for a smaller one', async () => {
    const player = fixture.join({}, { radius: 4 })
    await fixture.ticks(10)
    fixture.streaming.setRadius(player.view, 16)
    await fixture.ticks(80)
    expect(player.model.list()).toEqual(square(0, 0, 16))
    fixture.streaming.setRadius(player.view, 2)
    await fixture.ticks(15)
    expect(player.model.list()).toEqual(square(0, 0, 3))
  })
})

describe('edits', () => {
  it('before a column is sent are in its Chunk, and later ones follow it', async () => {
    const { join, ticks, edit, world, streaming } = fixture
    const early = join({}, { radius: 1 })
    await ticks(4)
    expect(early.model.columns.size).toBe(9)
    const late = join({}, { radius: 1 })
    edit(2, 90, 2, 'planks')
    fixture.step()
    edit(3, 90, 3, 'dirt')
    for (const { model } of [early, late])
      expect(
        hasSameBlocks(
          [...model.columns.values()].find(({ cx, cz }) => cx === 0 && cz === 0) as never,
          world.find(0, 0)?.chunk as never,
        ),
      ).toBe(true)
    expect(late.received.filter(({ $case }) => $case === 'blocksChanged')).toHaveLength(1)
    expect(streaming.viewersOf(0, 0)).toEqual([early.view, late.view])
  })

  it('are sent only to clients that have the column', async () => {
    const { join, ticks, streaming } = fixture
    const near = join({}, { radius: 1 })
    const far = join({ x: 160 }, { radius: 1 })
    expect(streaming.viewersOf(0, 0)).toEqual([])
    await ticks(6)
    expect(streaming.viewersOf(0, 0)).toEqual([near.view])
    expect(streaming.viewersOf(9, 1)).toEqual([far.view])
    expect(streaming.viewersOf(5, 0)).toEqual([])
    expect([streaming.has(near.view, 0, 0), streaming.has(far.view, 0, 0), streaming.has(near.view, 64, 0)]).toEqual([
      true,
      false,
      false,
    ])
    streaming.close(near.view)
    expect([streaming.viewersOf(0, 0), streaming.has(near.view, 0, 0)]).toEqual([[], false])
  })

  it('drop the cached frame of the column', async () => {
    const { join, ticks, edit, frames } = fixture
    join({}, { radius: 1 })
    await ticks(5)
    edit(2, 90, 2, 'planks')
    const late = join({}, { radius: 1 })
    fixture.step()
    expect(frames.encoded()).toBe(10)
    const chunk = [...late.model.columns.values()].find(({ cx, cz }) => cx === 0 && cz === 0)
    expect(chunk && hasSameBlocks(chunk, fixture.world.find(0, 0)?.chunk ?? chunk)).toBe(true)
  })
})

describe('a view that is closed', () => {
  it('releases its columns and receives nothing more', async () => {
    const { join, ticks, streaming, world } = fixture
    const player = join({}, { radius: 8 })
    await ticks(3)
    const { frames } = player
    streaming.close(player.view)
    streaming.close(player.view)
    await ticks(5)
    expect(player.frames).toBe(frames)
    expect(world.stats().loading).toBe(0)
    expect(streaming.stats().views).toBe(0)
  })
})

describe('frames', () => {
  it('are dropped a minute after they were last sent', async () => {
    const { join, ticks, world } = fixture
    join({}, { radius: 1 })
    await ticks(10)
    expect(world.find(0, 0)?.binaryFrame).toBeDefined()
    await ticks(1210)
    expect(world.find(0, 0)?.binaryFrame).toBeUndefined()
  })
})
