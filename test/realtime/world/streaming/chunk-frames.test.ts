import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { encodeServerMessage } from '../../../../realtime/protocol/messages.ts'
import { createFrame } from '../../../../realtime/protocol/web-socket-frame.ts'
import type { LoadedColumn } from '../../../../realtime/world/columns/loaded-world.ts'
import { createChunkFrames, createChunkGoneFrame } from '../../../../realtime/world/streaming/chunk-frames.ts'
import { encodeChunkFrame, toChunkMessage } from '../../../../realtime/world/streaming/chunk-message.ts'
import { createBlockRegistry } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { type Chunk, createChunk, setBlock } from '../../../../shared/rules/chunks/chunk.ts'
import { chunkMax, chunkMin } from '../../../../shared/rules/positions.ts'
import { readMessages } from '../../../support/realtime/split-frames.ts'

const types = Array.from({ length: 40 }, (_, i) => ({ id: `block_${i}`, name: `Block ${i}`, colour: i, solid: true }))

const createRegistry = () => {
  const registry = createBlockRegistry(types)
  for (let i = 0; i < 400; i += 1) registry.intern(`forgotten_${i}`)
  return registry
}

const registry = createRegistry()
const coordinate = fc.oneof(fc.integer({ min: chunkMin, max: chunkMax }), fc.integer({ min: -2, max: 2 }))

/** Sections from only air to hundreds of kinds, with different kinds in each section. */
const chunks = fc
  .tuple(coordinate, coordinate, fc.array(fc.tuple(fc.nat(15), fc.nat(440), fc.integer({ min: 1, max: 400 })), { maxLength: 6 }))
  .map(([cx, cz, sections]) => {
    const chunk = createChunk(cx, cz)
    for (const [y, first, kinds] of sections)
      for (let i = 0; i < kinds; i += 1) setBlock(chunk, { x: i & 15, y: y * 16 + (i >> 8), z: (i >> 4) & 15 }, (first + i) % 442)
    return chunk
  })

const toColumn = (chunk: Chunk): LoadedColumn => ({
  cx: chunk.cx,
  cz: chunk.cz,
  chunk,
  binaryFrame: undefined,
  textFrame: undefined,
  writesPending: 0,
})

describe('the frame of a column', () => {
  it('has the same bytes as the generated encoder', () => {
    fc.assert(
      fc.property(chunks, (chunk) => {
        const message = encodeServerMessage(toChunkMessage(chunk, registry), 'binary')
        expect(Buffer.compare(encodeChunkFrame(chunk, registry), createFrame(message, 'binary'))).toBe(0)
      }),
    )
  })

  it('has the same content as text', () => {
    const chunk = createChunk(-7, 12)
    for (let i = 0; i < 300; i += 1) setBlock(chunk, { x: i & 15, y: 60 + (i >> 8), z: (i >> 4) & 15 }, 2 + (i % 30))
    const frames = createChunkFrames(registry)
    const column = toColumn(chunk)
    expect(readMessages(frames.frameOf(column, 'text'))).toEqual(readMessages(frames.frameOf(column, 'binary')))
  })

  it('shows unknown kinds of blocks as the placeholder, and leaves out sections of air', () => {
    const chunk = createChunk(0, 0)
    setBlock(chunk, { x: 0, y: 0, z: 0 }, registry.intern('forgotten_3'))
    setBlock(chunk, { x: 1, y: 0, z: 0 }, registry.intern('forgotten_5'))
    chunk.sections[3] = { palette: [0], bits: 0, data: new Uint8Array(0) }
    chunk.sections[4] = { palette: [2], bits: 0, data: new Uint8Array(0) }
    const [message] = readMessages(encodeChunkFrame(chunk, registry))
    expect(message).toMatchObject({
      $case: 'chunk',
      value: {
        cx: 0,
        cz: 0,
        sections: [
          { y: 0, palette: [0, 1, 1], bits: 2 },
          { y: 4, palette: [2], bits: 0 },
        ],
      },
    })
  })

  it('of a column of air has no sections', () => {
    expect(readMessages(encodeChunkFrame(createChunk(0, 0), registry))).toEqual([
      { $case: 'chunk', value: { cx: 0, cz: 0, sections: [] } },
    ])
  })

  it('names a column that is gone', () => {
    for (const kind of ['binary', 'text'] as const)
      expect(readMessages(createChunkGoneFrame({ cx: -3, cz: 70_000 }, kind))).toEqual([
        { $case: 'chunkGone', value: { cx: -3, cz: 70_000 } },
      ])
  })
})

describe('cached frames', () => {
  const full = (cx: number): LoadedColumn => {
    const chunk = createChunk(cx, 0)
    for (let y = 0; y < 16; y += 1) chunk.sections[y] = { palette: [0, 2, 3, 4, 5], bits: 8, data: new Uint8Array(4096) }
    return toColumn(chunk)
  }

  it('are the same object for all readers, until the column changes', () => {
    const frames = createChunkFrames(registry)
    const column = full(0)
    const frame = frames.frameOf(column, 'binary')
    expect(frames.frameOf(column, 'binary')).toBe(frame)
    column.binaryFrame = undefined
    expect(frames.frameOf(column, 'binary')).not.toBe(frame)
    expect(frames.encoded()).toBe(2)
  })

  it('are dropped after a minute without a read', () => {
    const frames = createChunkFrames(registry)
    const [once, often] = [full(0), full(1)]
    frames.step(1)
    frames.frameOf(once, 'binary')
    frames.frameOf(often, 'text')
    for (let tick = 2; tick <= 1202; tick += 1) {
      frames.step(tick)
      if (tick % 50 === 0) frames.frameOf(often, 'text')
    }
    expect([once.binaryFrame, once.textFrame, often.binaryFrame]).toEqual([undefined, undefined, undefined])
    expect(often.textFrame).toBeDefined()
  })

  it('take at most 8 MiB from one tick to the next, the most recent ones', () => {
    const frames = createChunkFrames(registry)
    frames.step(1)
    const columns = Array.from({ length: 200 }, (_, cx) => full(cx))
    for (const column of columns) frames.frameOf(column, 'binary')
    frames.step(2)
    const kept = columns.filter(({ binaryFrame }) => binaryFrame !== undefined)
    expect(kept.reduce((sum, { binaryFrame }) => sum + (binaryFrame?.length ?? 0), 0)).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(kept).toEqual(columns.slice(-kept.length))
    expect(kept.length).toBeGreaterThan(120)
  })
})
