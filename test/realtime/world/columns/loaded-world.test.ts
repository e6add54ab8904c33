import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ColumnHolder, LoadedColumn } from '../../../../realtime/world/columns/loaded-world.ts'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { getBlock, setBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { chunkKey } from '../../../../shared/rules/positions.ts'
import { createLoadedWorldFixture, type LoadedWorldFixture, testWorld } from '../../../support/worlds/loaded-world-fixture.ts'

let fixture: LoadedWorldFixture

beforeEach(() => {
  fixture = createLoadedWorldFixture()
})
afterEach(() => fixture.close())

const holderAt = (x = 0, z = 0): ColumnHolder => ({ distanceTo: ({ cx, cz }) => Math.hypot(cx - x, cz - z) })
const holder = holderAt()
const origin = { cx: 0, cz: 0 }

const holdSquare = (radius: number, by: ColumnHolder = holder): void => {
  for (let cx = -radius; cx <= radius; cx += 1) for (let cz = -radius; cz <= radius; cz += 1) fixture.world.hold({ cx, cz }, by)
}

describe('a held column', () => {
  it('is absent before a tick adds it, and present afterwards', async () => {
    const { world, drain } = fixture
    world.hold(origin, holder)
    await drain()
    expect(world.find(0, 0)).toBeUndefined()
    expect(world.blockAt(3, 10, 3)).toBeUndefined()
    world.step()
    expect(world.find(0, 0)).toMatchObject({ cx: 0, cz: 0 })
    expect(world.blockAt(3, 10, 3)).toBe(fixture.registry.intern('stone'))
    expect(world.stats()).toEqual({ loaded: 1, loading: 0, arrived: 1, damaged: 0, packed: 0 })
  })

  it('comes from the store if it is there, with its edits, and is not generated', async () => {
    const { world, generation, registry, put, ticks } = fixture
    const chunk = generation.terrain(origin)
    const planks = registry.intern('planks')
    setBlock(chunk, { x: 5, y: 100, z: 6 }, planks)
    await put(origin, encodeChunk(chunk, registry))
    world.hold(origin, holder)
    await ticks(2)
    expect(world.blockAt(5, 100, 6)).toBe(planks)
    expect(generation.asked).toEqual([])
  })

  it('is generated if the store has none, usable at once, and saved', async () => {
    const { world, writes, ticks, drain, chunks } = fixture
    let release = (): void => {}
    writes.held = new Promise((resolve) => {
      release = resolve
    })
    world.hold(origin, holder)
    await ticks(3)
    const column = world.find(0, 0)
    expect(column?.writesPending).toBe(1)
    expect(await chunks.has(testWorld, origin)).toBe(false)
    release()
    await drain()
    expect(column?.writesPending).toBe(0)
    expect(await chunks.has(testWorld, origin)).toBe(true)
  })

  it('is loaded once for any number of holders and requests', async () => {
    const { world, reads, ticks } = fixture
    world.hold(origin, holder)
    world.hold(origin, holder)
    world.hold(origin, holderAt(1))
    await ticks(3)
    expect(reads.flat()).toHaveLength(1)
    expect(world.stats().arrived).toBe(1)
  })

  it('accepts edits: changes the block, drops the cached frames and returns the old index', async () => {
    const { world, registry, ticks } = fixture
    world.hold({ cx: -1, cz: -1 }, holder)
    await ticks(3)
    const column = world.find(-1, -1) as LoadedColumn
    column.binaryFrame = new Uint8Array(1)
    column.textFrame = new Uint8Array(1)
    const grass = registry.intern('grass')
    expect(world.setBlock(-1, 20, -1, grass)).toBe(registry.intern('stone'))
    expect(column).toMatchObject({ binaryFrame: undefined, textFrame: undefined })
    expect(world.blockAt(-1, 20, -1)).toBe(grass)
    expect(getBlock(column.chunk, 15, 20, 15)).toBe(grass)
  })

  it('keeps changes between two packings, and nothing of them once it is unloaded', async () => {
    const { world, generation, registry, put, ticks } = fixture
    const chunk = generation.terrain(origin)
    const [planks, dirt] = [registry.intern('planks'), registry.intern('dirt')]
    for (let x = 0; x < 16; x += 1) for (let z = 0; z < 16; z += 1) setBlock(chunk, { x, y: 10, z }, (x + z) % 2 ? planks : dirt)
    await put(origin, encodeChunk(chunk, registry))
    world.hold(origin, holder)
    await ticks(210)
    expect(world.stats().packed).toBe(1)
    expect(world.blockAt(3, 10, 3)).toBe(dirt)
    expect(world.stats().packed).toBe(0)
    world.setBlock(3, 10, 3, planks)
    await ticks(210)
    expect(world.stats().packed).toBe(1)
    expect([world.blockAt(3, 10, 3), world.blockAt(4, 10, 4)]).toEqual([planks, dirt])
    await ticks(210)
    world.letGo(origin, holder)
    for (let cx = 1; cx <= 400; cx += 1) world.hold({ cx, cz: 9 }, holder)
    await ticks(40)
    for (let cx = 1; cx <= 400; cx += 1) world.letGo({ cx, cz: 9 }, holder)
    await ticks(2)
    expect(world.find(0, 0)).toBeUndefined()
    expect(world.stats().packed).toBe(0)
  })

  it('has air above and below the world, and keeps its frames when nothing changes', async () => {
    const { world, registry, ticks } = fixture
    world.hold(origin, holder)
    await ticks(3)
    const column = world.find(0, 0) as LoadedColumn
    column.binaryFrame = new Uint8Array(1)
    expect([world.blockAt(0, -1, 0), world.blockAt(0, 256, 0)]).toEqual([0, 0])
    world.setBlock(1, 20, 1, registry.intern('stone'))
    expect(column.binaryFrame).toBeDefined()
  })

  it('is not held outside the range of columns', async () => {
    const { world, ticks, reads } = fixture
    world.hold({ cx: 1_875_000, cz: 0 }, holder)
    world.hold({ cx: Number.NaN, cz: 0 }, holder)
    world.hold({ cx: 0.5, cz: 0 }, holder)
    await ticks(2)
    expect([reads, world.stats().loading]).toEqual([[], 0])
  })
})

describe('many columns', () => {
  it('are read in batches, nearest first', async () => {
    const { world, reads, ticks } = fixture
    const near = holderAt(3, 3)
    for (let cx = -8; cx <= 8; cx += 1) for (let cz = -8; cz <= 8; cz += 1) world.hold({ cx, cz }, near)
    await ticks(20)
    expect(world.stats().loaded).toBe(289)
    expect(reads.length).toBeLessThan(12)
    const distances = reads.map((batch) => batch.map((pos) => Math.floor(near.distanceTo(pos))))
    const flat = distances.flat()
    expect(flat).toEqual([...flat].sort((a, b) => a - b))
  })

  it('are generated nearest first, with a bounded number in progress', async () => {
    const { world, generation, ticks } = fixture
    generation.state.isHeldBack = true
    holdSquare(8)
    await ticks(20)
    expect(generation.asked).toHaveLength(32)
    const first = generation.asked.map((pos) => Math.floor(holder.distanceTo(pos)))
    expect(Math.max(...first)).toBeLessThanOrEqual(3)
    generation.state.isHeldBack = false
    for (const { finish } of generation.waiting) finish()
    await ticks(20)
    expect(world.stats()).toMatchObject({ loaded: 289, loading: 0 })
  })

  it('are measured again while they wait: those near a player come before distant ones', async () => {
    const { world, generation, ticks } = fixture
    generation.state.isHeldBack = true
    let x = 1000
    const mover: ColumnHolder = { distanceTo: ({ cx, cz }) => Math.hypot(cx - x, cz) }
    holdSquare(5)
    const late = { cx: 40, cz: 0 }
    world.hold(late, mover)
    await ticks(10)
    expect(generation.asked).not.toContainEqual(late)
    x = 40
    await ticks(3)
    generation.waiting[0]?.finish()
    await ticks(2)
    expect(generation.asked).toContainEqual(late)
  })

  it('are added within the budget of a tick, at least one in each', async () => {
    const { world, drain, clock } = fixture
    // Each read of the clock takes 1.5 ms: two or three columns fit into 4 ms.
    const monotonic = clock.monotonic
    Object.assign(clock, {
      monotonic: () => {
        clock.advance(1.5)
        return monotonic()
      },
    })
    holdSquare(2)
    for (let i = 0; i < 10; i += 1) await drain()
    world.step()
    expect(world.stats().loaded).toBeGreaterThanOrEqual(1)
    expect(world.stats().loaded).toBeLessThanOrEqual(3)
    for (let i = 0; i < 40; i += 1) {
      await drain()
      world.step()
    }
    expect(world.stats().loaded).toBe(25)
  })
})

describe('a column without holders', () => {
  it('is cancelled during generation, and a late result is dropped', async () => {
    const { world, generation, ticks } = fixture
    generation.state.isHeldBack = true
    world.hold(origin, holder)
    await ticks(2)
    world.letGo(origin, holder)
    await ticks(1)
    expect(generation.aborted).toEqual([origin])
    generation.waiting[0]?.finish()
    await ticks(2)
    expect(world.find(0, 0)).toBeUndefined()
    expect(world.stats()).toMatchObject({ loaded: 0, loading: 0, arrived: 0 })
  })

  it('is dropped during a read, and loaded again for the next holder', async () => {
    const { world, ticks } = fixture
    world.hold(origin, holder)
    world.letGo(origin, holder)
    world.hold(origin, holderAt(5))
    await ticks(3)
    expect(world.stats()).toMatchObject({ loaded: 1, loading: 0, arrived: 1 })
  })

  it('stays while another holder has it', async () => {
    const { world, ticks } = fixture
    const other = holderAt(1)
    world.hold(origin, holder)
    world.hold(origin, other)
    world.letGo(origin, holder)
    await ticks(3)
    expect(world.find(0, 0)).toBeDefined()
  })

  it('is still loaded for a holder who returns a little later', async () => {
    const { world, reads, ticks } = fixture
    holdSquare(2)
    await ticks(5)
    for (let cx = -2; cx <= 2; cx += 1) for (let cz = -2; cz <= 2; cz += 1) world.letGo({ cx, cz }, holder)
    await ticks(5)
    const readBefore = reads.length
    holdSquare(2)
    await ticks(1)
    expect([reads.length, world.stats().loading]).toEqual([readBefore, 0])
  })

  it('is unloaded after others, but never before its writes are durable', async () => {
    const { world, ticks } = fixture
    holdSquare(10)
    await ticks(30)
    expect(world.stats().loaded).toBe(441)
    const writing = world.find(-10, -10) as LoadedColumn
    writing.writesPending += 1
    for (let cx = -10; cx <= 10; cx += 1) for (let cz = -10; cz <= 10; cz += 1) world.letGo({ cx, cz }, holder)
    await ticks(3)
    expect(world.stats().loaded).toBe(384)
    expect(world.find(-10, -10)).toBe(writing)
    expect(world.find(-10, -9)).toBeUndefined()
    expect(world.find(10, 10)).toBeDefined()
  })
})

describe('load', () => {
  it('resolves in a tick with a column that it holds from then on', async () => {
    const { world, ticks } = fixture
    const loading = world.load(origin, holder)
    await ticks(3)
    expect(await loading).toBe(world.find(0, 0))
    expect(await world.load(origin, holder)).toBe(world.find(0, 0))
  })

  it('rejects when the store cannot be read, and holds nothing', async () => {
    const { world, faults, ticks } = fixture
    faults.read = new Error('away')
    const loading = world.load(origin, holder)
    const outcome = expect(loading).rejects.toMatchObject({ kind: 'unavailable', slug: 'service-unavailable' })
    await ticks(2)
    await outcome
    expect(world.stats()).toMatchObject({ loaded: 0, loading: 0 })
  })

  it('rejects when its holder lets go, and outside the range of columns', async () => {
    const { world } = fixture
    const loading = world.load(origin, holder)
    world.letGo(origin, holder)
    await expect(loading).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(world.load({ cx: 2_000_000, cz: 0 }, holder)).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('rejects when the world is closed', async () => {
    const { world, generation, drain } = fixture
    generation.state.isHeldBack = true
    const loading = world.load(origin, holder)
    const outcome = expect(loading).rejects.toMatchObject({ kind: 'unavailable' })
    await drain()
    await world.close()
    await outcome
    expect(generation.aborted).toEqual([origin])
    await expect(world.load(origin, holder)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('closing', () => {
  it('does not wait for writes, which the writer finishes', async () => {
    const { world, writes, ticks } = fixture
    let release = (): void => {}
    writes.held = new Promise((resolve) => {
      release = resolve
    })
    world.hold(origin, holder)
    await ticks(3)
    await world.close()
    expect(world.find(0, 0)?.writesPending).toBe(1)
    release()
  })

  it('adds nothing and holds nothing afterwards', async () => {
    const { world, ticks } = fixture
    world.hold(origin, holder)
    await world.close()
    world.hold({ cx: 1, cz: 1 }, holder)
    await ticks(3)
    expect(world.stats()).toMatchObject({ loaded: 0, loading: 0 })
  })
})

describe('faults', () => {
  it('of the store are retried with growing pauses, and logged once', async () => {
    const { world, faults, reads, lines, ticks } = fixture
    faults.read = new Error('away')
    world.hold(origin, holder)
    await ticks(100)
    // 250 ms, 500 ms, 1 s, 2 s: five attempts in five seconds.
    expect(reads.length).toBe(5)
    expect(lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1)
    faults.read = undefined
    await ticks(200)
    expect(world.find(0, 0)).toBeDefined()
    expect(lines.filter(({ msg }) => /retrying$|read again$/.test(String(msg)))).toHaveLength(2)
  })

  it('of one column do not affect the others', async () => {
    const { world, faults, ticks } = fixture
    faults.readOf.add(chunkKey(1, 1))
    holdSquare(3)
    await ticks(60)
    expect(world.stats()).toMatchObject({ loaded: 48, loading: 1 })
    faults.readOf.clear()
    await ticks(200)
    expect(world.stats()).toMatchObject({ loaded: 49, loading: 0 })
  })

  it('of a generator are retried, and invalid data is never served', async () => {
    const { world, generation, ticks } = fixture
    generation.state.isHeldBack = true
    world.hold(origin, holder)
    world.hold({ cx: 1, cz: 0 }, holder)
    await ticks(2)
    generation.waiting[0]?.fail(new Error('a worker died'))
    generation.waiting[1]?.finish(new Uint8Array(20))
    generation.state.isHeldBack = false
    await ticks(2)
    expect(world.stats()).toMatchObject({ loaded: 0, loading: 2 })
    await ticks(20)
    expect(world.stats()).toMatchObject({ loaded: 2, loading: 0, damaged: 0 })
  })

  it('of saving leave new columns in the game', async () => {
    const { world, writes, chunks, lines, ticks } = fixture
    writes.error = new Error('full')
    holdSquare(1)
    await ticks(10)
    expect(world.find(1, 1)?.writesPending).toBe(0)
    expect((await chunks.stats(testWorld)).chunkCount).toBe(0)
    expect(lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1)
  })
})

describe('a damaged record', () => {
  it('is reported once with its place and fault, set aside, counted, and generated again', async () => {
    const { world, generation, chunks, lines, put, ticks } = fixture
    const damaged = generation.recordOf(origin)
    damaged[30] = (damaged[30] ?? 0) ^ 1
    await put(origin, damaged)
    world.hold(origin, holder)
    world.hold({ cx: 1, cz: 0 }, holder)
    await ticks(5)
    expect(world.blockAt(3, 10, 3)).toBe(fixture.registry.intern('stone'))
    expect(world.stats()).toMatchObject({ loaded: 2, damaged: 1 })
    const errors = lines.filter(({ level }) => Number(level) >= 50)
    expect(errors).toEqual([expect.objectContaining({ cx: 0, cz: 0, fault: expect.stringContaining('checksum') })])
    const aside: unknown[] = []
    for await (const record of chunks.listSetAside(testWorld)) aside.push(record)
    expect(aside).toEqual([{ ...origin, bytes: damaged }])
    expect(await chunks.get(testWorld, origin)).toEqual(generation.recordOf(origin))
  })

  it('is neither served nor overwritten when it cannot be set aside, and reported once', async () => {
    const { world, faults, generation, chunks, lines, put, ticks } = fixture
    const damaged = generation.recordOf(origin).subarray(0, 50)
    await put(origin, damaged)
    faults.setAside = new Error('away')
    world.hold(origin, holder)
    await ticks(40)
    expect(world.find(0, 0)).toBeUndefined()
    expect(generation.asked).toEqual([])
    expect(await chunks.get(testWorld, origin)).toEqual(damaged)
    expect([world.stats().damaged, lines.filter(({ level }) => Number(level) >= 50).length]).toEqual([1, 1])
    faults.setAside = undefined
    await ticks(100)
    expect(world.find(0, 0)).toBeDefined()
  })

  it('is set aside once, whatever holders come and go during that', async () => {
    const { world, generation, chunks, put, ticks } = fixture
    await put(origin, new Uint8Array(9))
    world.hold(origin, holder)
    await fixture.drain()
    world.step()
    world.letGo(origin, holder)
    world.hold(origin, holderAt(1))
    await ticks(3)
    let aside = 0
    for await (const _ of chunks.listSetAside(testWorld)) aside += 1
    expect([aside, world.stats().damaged, generation.asked.length]).toEqual([1, 1, 1])
    expect(world.find(0, 0)).toBeDefined()
  })

  it('of a newer version is kept, and the column is unavailable', async () => {
    const { world, generation, chunks, put, ticks } = fixture
    const newer = generation.recordOf(origin)
    newer[1] = 200
    new DataView(newer.buffer, newer.byteOffset).setUint32(newer.length - 4, crc32(newer.subarray(0, -4)), true)
    await put(origin, newer)
    const loading = expect(world.load(origin, holder)).rejects.toMatchObject({ slug: 'world-unusable' })
    world.hold(origin, holderAt(1))
    await ticks(10)
    await loading
    expect(world.find(0, 0)).toBeUndefined()
    expect(await chunks.get(testWorld, origin)).toEqual(newer)
    expect(generation.asked).toEqual([])
  })
})
