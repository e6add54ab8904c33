import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createPackedColumns } from '../../../../realtime/world/columns/packed-columns.ts'
import { type Chunk, createChunk, getBlock, setBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { createTestRegistry } from '../../../support/worlds/loaded-world-fixture.ts'

const quiet = 201
const registry = createTestRegistry()
const kinds = ['stone', 'dirt', 'grass', 'planks'].map(registry.intern)

/** Alternating kinds, so that packing makes the column smaller. */
const createMixed = (cx: number, cz: number, seed: number): Chunk => {
  const chunk = createChunk(cx, cz)
  for (let at = 0; at < 4096; at += 1) setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, kinds[(at * seed) % 4] ?? 0)
  return chunk
}
const copyOf = (chunk: Chunk): number[] =>
  Array.from({ length: 8192 }, (_, at) => getBlock(chunk, at & 15, at >> 8, (at >> 4) & 15))

const createScene = () => {
  const clock = createFixedClock()
  const columns = createPackedColumns(clock)
  return {
    columns,
    steps: (count: number): void => {
      for (let step = 0; step < count; step += 1) columns.step()
    },
  }
}

describe('the blocks of an unread column', () => {
  it('are packed after ten seconds, and are the same when read again', () => {
    const { columns, steps } = createScene()
    const chunk = createMixed(-3, 7, 5)
    const before = copyOf(chunk)
    const column = columns.create(chunk)
    steps(quiet - 1)
    expect(columns.packed()).toBe(0)
    steps(2)
    expect(columns.packed()).toBe(1)
    expect(copyOf(column.chunk)).toEqual(before)
    expect(column.chunk).toMatchObject({ cx: -3, cz: 7 })
    expect(columns.packed()).toBe(0)
    steps(quiet + 1)
    expect(columns.packed()).toBe(1)
  })

  it('stay unpacked while they are read, have a pending write, or would not get smaller', () => {
    const { columns, steps } = createScene()
    const seen = columns.create(createMixed(0, 0, 1))
    const written = columns.create(createMixed(0, 1, 1))
    columns.create(createChunk(0, 2))
    written.writesPending = 1
    for (let step = 0; step < 3 * quiet; step += 1) {
      expect(getBlock(seen.chunk, 0, 0, 0)).toBe(kinds[0])
      steps(1)
    }
    expect(columns.packed()).toBe(0)
    written.writesPending = 0
    steps(quiet + 1)
    expect(columns.packed()).toBe(2)
  })

  it('are forgotten with their column', () => {
    const { columns, steps } = createScene()
    const [one, other] = [columns.create(createMixed(0, 0, 3)), columns.create(createMixed(0, 1, 3))]
    columns.forget(one)
    steps(quiet + 1)
    expect(columns.packed()).toBe(1)
    columns.forget(other)
    steps(quiet + 1)
    expect(columns.packed()).toBe(0)
  })

  it('are always the same as without packing, whatever changes', () => {
    const change = fc.record({
      x: fc.integer({ min: 0, max: 15 }),
      y: fc.integer({ min: 0, max: 31 }),
      z: fc.integer({ min: 0, max: 15 }),
      index: fc.constantFrom(0, ...kinds, registry.intern('of-a-mod')),
      pause: fc.constantFrom(0, 1, quiet + 1),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(change, { maxLength: 12 }), (seed, changes) => {
        const { columns, steps } = createScene()
        const column = columns.create(createMixed(1, 2, seed))
        const plain = createMixed(1, 2, seed)
        for (const { index, pause, ...at } of changes) {
          columns.change(column)
          setBlock(column.chunk, at, index)
          setBlock(plain, at, index)
          steps(pause)
        }
        expect(copyOf(column.chunk)).toEqual(copyOf(plain))
      }),
      { numRuns: 60 },
    )
  })
})
