import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { readPlayersFrame } from '../../../sdk/protocol/players-frame.ts'
import { encodeServerMessage } from '../../../sdk/protocol/server-frames.ts'

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const uint32 = fc.nat({ max: 0xffffffff })
const cellMoves = fc.record({ cell: fc.record({ x: int32, z: int32 }), moved: fc.uint8Array({ maxLength: 400 }) })
const moves = fc.record({ tick: uint32, cells: fc.array(cellMoves, { maxLength: 12 }) })

const decode = (frame: Uint8Array) => {
  const { kind } = ServerMessage.decode(frame)
  return kind?.$case === 'players' ? kind.value : undefined
}

describe('the fast reader of Players', () => {
  it('gives the same result as the generated decoder', () => {
    let read = 0
    fc.assert(
      fc.property(moves, ({ tick, cells }) => {
        const frame = encodeServerMessage({ $case: 'players', value: { tick, cells, appeared: [], gone: [] } })
        const found = readPlayersFrame(frame)
        if (found === undefined) return expect(cells.some(({ moved }) => moved.length === 0)).toBe(true)
        read += 1
        expect(found).toEqual(decode(frame))
      }),
    )
    expect(read).toBeGreaterThan(50)
  })

  it('leaves all other messages to the generated decoder', () => {
    const position = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }
    const appeared = [{ ref: 1, playerId: 'a', displayName: 'a', position }]
    const value = { tick: 1, cells: [], appeared: [], gone: [] }
    expect(readPlayersFrame(encodeServerMessage({ $case: 'players', value: { ...value, appeared } }))).toBeUndefined()
    expect(readPlayersFrame(encodeServerMessage({ $case: 'players', value: { ...value, gone: [1] } }))).toBeUndefined()
    expect(readPlayersFrame(encodeServerMessage({ $case: 'pong', value: { nonce: 1, serverTime: 1 } }))).toBeUndefined()
    expect(readPlayersFrame(new Uint8Array(0))).toBeUndefined()
  })

  it('never disagrees with the generated decoder, whatever the bytes', () => {
    fc.assert(
      fc.property(moves, fc.nat(), fc.nat({ max: 255 }), fc.nat(), ({ tick, cells }, place, byte, cut) => {
        const frame = encodeServerMessage({ $case: 'players', value: { tick, cells, appeared: [], gone: [] } })
        const broken = frame.slice(0, frame.length - (cut % 3))
        broken[place % Math.max(1, broken.length)] = byte
        const found = readPlayersFrame(broken)
        if (found !== undefined) expect(found).toEqual(decode(broken))
      }),
      { numRuns: 2_000 },
    )
  })
})
