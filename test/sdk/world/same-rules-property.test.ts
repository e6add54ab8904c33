import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { decodeClientFrame } from '../../../realtime/protocol/messages.ts'
import { encodeChunkFrame } from '../../../realtime/world/streaming/chunk-message.ts'
import { decodeServerMessage, encodeClientMessage } from '../../../sdk/protocol/frames.ts'
import { createBlockCache } from '../../../sdk/world/block-cache.ts'
import { createMover } from '../../../sdk/world/mover.ts'
import { createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { createChunk, getBlock, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { createMoveBudget, findMoveRefusal, payForMove, refillMoveBudget } from '../../../shared/rules/movement/move-budget.ts'
import { findBlockRefusal } from '../../../shared/rules/movement/move-through-blocks.ts'
import { unwrapFrame } from '../../support/realtime/players-model.ts'

const names = ['air', 'stone', 'water', 'glass', 'planks']
const kinds = names.slice(1).map((id) => ({ id, name: id, colour: 1, solid: id !== 'water' }))

/** A column of the server, and the same column of a client after the frame. */
const bothSides = (blocks: readonly (readonly [number, number, number, number])[]) => {
  const registry = createBlockRegistry(kinds)
  const chunk = createChunk(0, 0)
  for (const [x, y, z, kind] of blocks) setBlock(chunk, { x, y, z }, registry.find(names[kind] ?? '')?.index ?? 0)
  const cache = createBlockCache()
  cache.begin(registry.listTypes().map(({ index, id, colour, solid }) => ({ index, id, colour, solid })))
  const message = decodeServerMessage(unwrapFrame(encodeChunkFrame(chunk, registry)).payload)
  if (message?.$case === 'chunk') cache.putChunk(message.value)
  const isHere = (x: number, z: number) => x >= 0 && x < 16 && z >= 0 && z < 16
  const loaded = {
    blockAt: (x: number, y: number, z: number) => (isHere(x, z) ? (y >= 0 && y < 256 ? getBlock(chunk, x, y, z) : 0) : undefined),
  }
  return { server: { loaded, registry }, cache, chunk }
}

const coordinate = fc.integer({ min: 0, max: 15 })
const blocks = fc.array(fc.tuple(coordinate, fc.integer({ min: 63, max: 68 }), coordinate, fc.integer({ min: 0, max: 4 })), {
  minLength: 100,
  maxLength: 400,
})
const hundredths = (most: number) => fc.integer({ min: -most, max: most }).map((value) => value / 100)
const step = fc.record({
  dx: hundredths(300),
  dy: hundredths(200),
  dz: hundredths(300),
  afterMs: fc.integer({ min: 0, max: 200 }),
})

describe('the client and the server', () => {
  it('have the same block everywhere in a column', () => {
    fc.assert(
      fc.property(blocks, (set) => {
        const { cache, chunk } = bothSides(set)
        for (const [x, y, z] of set) expect(cache.indexAt(x, y, z)).toBe(getBlock(chunk, x, y, z))
        expect(cache.indexAt(0, 255, 0)).toBe(0)
        expect(cache.blockAt(16, 64, 0)).toBeUndefined()
      }),
    )
  })

  it('decide the same about every move, one after another', () => {
    let [allowed, refused] = [0, 0]
    fc.assert(
      fc.property(blocks, fc.array(step, { minLength: 1, maxLength: 30 }), (set, steps) => {
        const { server, cache } = bothSides(set)
        let nowMs = 1_000
        let place = { x: 8.5, y: 65, z: 8.5, yaw: 0, pitch: 0 }
        const budget = createMoveBudget(nowMs)
        const mover = createMover(cache.solids, place, nowMs)
        for (const [seq, { dx, dy, dz, afterMs }] of steps.entries()) {
          nowMs += afterMs
          const to = { x: place.x + dx, y: place.y + dy, z: place.z + dz, yaw: 0, pitch: 0 }
          const frame = decodeClientFrame(encodeClientMessage({ $case: 'move', value: { seq, ...to } }), 'binary')
          const sent = frame.ok && frame.message.$case === 'move' ? frame.message.value : to
          refillMoveBudget(budget, nowMs)
          const answer = findMoveRefusal(budget, place, sent) ?? findBlockRefusal(server, place, sent)
          expect(mover.refusalOf(to, nowMs)).toBe(answer)
          if (answer === undefined) {
            allowed += 1
            payForMove(budget, place, sent)
            place = to
            mover.moved(seq, to, nowMs)
          } else refused += 1
          expect(mover.position()).toEqual(place)
        }
      }),
    )
    expect(Math.min(allowed, refused)).toBeGreaterThan(100)
  })

  it('agree on closed ground for two seconds after the server has reported it', () => {
    const { cache } = bothSides([])
    const at = (x: number, y = 64) => ({ x, y, z: 8.5, yaw: 0, pitch: 0 })
    const mover = createMover(cache.solids, at(3.5), 0)
    const closed = { zoneId: 'arena', zoneName: 'Arena', cx: 0, cz: 0, yMin: 60, yMax: 70 }
    mover.moved(1, at(3.6), 50)
    mover.moved(2, at(3.7), 100)
    // Both moves led into it: neither is repeated.
    expect(mover.correct({ seq: 1, position: at(3.5), reason: 'zone-closed', closed }, 150)).toEqual(at(3.5))
    expect(mover.refusalOf(at(3.6), 200)).toBe('zone-closed')
    mover.stand({ entered: { id: 'arena', name: 'Arena' } })
    expect(mover.refusalOf(at(3.6), 200)).toBeUndefined()
    mover.stand({ left: { id: 'arena' } })
    expect(mover.refusalOf(at(3.6), 200)).toBe('zone-closed')
    expect(mover.refusalOf(at(3.6), 2_150)).toBeUndefined()
    mover.correct({ seq: 2, position: at(3.5), reason: 'zone-closed', closed: { ...closed, yMin: 65 } }, 2_200)
    expect(mover.refusalOf(at(3.6), 2_250)).toBeUndefined()
  })

  it('end at the same place after a late Correction', () => {
    const { cache } = bothSides([
      [9, 64, 8, 1],
      [9, 65, 8, 1],
    ])
    const at = (x: number, z = 8.5) => ({ x, y: 64, z, yaw: 0, pitch: 0 })
    const mover = createMover(cache.solids, at(8.5), 0)
    // The second step seemed free here, and is not on the server, which keeps the player at the first.
    mover.moved(1, at(8.4), 50)
    mover.moved(2, at(8.2), 100)
    mover.moved(3, at(8.2, 8.9), 150)
    expect(mover.correct({ seq: 2, position: at(8.4), reason: 'blocked' }, 200)).toEqual(at(8.2, 8.9))
    expect(mover.correct({ seq: 3, position: at(4, 4), reason: 'teleport' }, 250)).toEqual(at(4, 4))
  })
})
