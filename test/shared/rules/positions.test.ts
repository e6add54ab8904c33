import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  chunkCoordinate,
  chunkKey,
  chunkMax,
  chunkMin,
  chunkPosOf,
  isBlockPos,
  isChunkPos,
} from '../../../shared/rules/positions.ts'

const chunkPos = fc.record({ cx: fc.integer({ min: chunkMin, max: chunkMax }), cz: fc.integer({ min: chunkMin, max: chunkMax }) })

describe('positions', () => {
  it.each([
    [0, 0],
    [15, 0],
    [16, 1],
    [-1, -1],
    [-16, -1],
    [-17, -2],
    [29_999_999, 1_874_999],
    [-30_000_000, -1_875_000],
    [-0.5, -1],
  ])('assign block %d to column %d', (block, chunk) => expect(chunkCoordinate(block)).toBe(chunk))

  it.each([
    [{ x: 0, y: 0, z: 0 }, true],
    [{ x: -30_000_000, y: 255, z: 29_999_999 }, true],
    [{ x: -30_000_001, y: 0, z: 0 }, false],
    [{ x: 30_000_000, y: 0, z: 0 }, false],
    [{ x: 0, y: 0, z: 30_000_000 }, false],
    [{ x: 0, y: -1, z: 0 }, false],
    [{ x: 0, y: 256, z: 0 }, false],
    [{ x: 0.5, y: 0, z: 0 }, false],
    [{ x: Number.NaN, y: 0, z: 0 }, false],
    [{ x: 0, y: Number.POSITIVE_INFINITY, z: 0 }, false],
  ])('recognize whether there can be a block at %j: %s', (pos, answer) => expect(isBlockPos(pos)).toBe(answer))

  it.each([
    [{ cx: 0, cz: 0 }, true],
    [{ cx: -1_875_000, cz: 1_874_999 }, true],
    [{ cx: -1_875_001, cz: 0 }, false],
    [{ cx: 0, cz: 1_875_000 }, false],
    [{ cx: 0.5, cz: 0 }, false],
    [{ cx: Number.NaN, cz: 0 }, false],
  ])('recognize whether there can be a column at %j: %s', (pos, answer) => expect(isChunkPos(pos)).toBe(answer))

  it('convert any column to a number and back', () => {
    fc.assert(fc.property(chunkPos, (pos) => expect(chunkPosOf(chunkKey(pos.cx, pos.cz))).toEqual(pos)))
    for (const cx of [chunkMin, chunkMax])
      for (const cz of [chunkMin, chunkMax]) {
        const key = chunkKey(cx, cz)
        expect(Number.isSafeInteger(key)).toBe(true)
        expect(chunkPosOf(key)).toEqual({ cx, cz })
      }
  })

  it('give two columns different numbers', () => {
    fc.assert(
      fc.property(chunkPos, chunkPos, (one, other) =>
        expect(chunkKey(one.cx, one.cz) === chunkKey(other.cx, other.cz)).toBe(one.cx === other.cx && one.cz === other.cz),
      ),
    )
  })
})
