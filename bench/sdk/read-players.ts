import { decodeServerMessage } from '../../sdk/protocol/frames.ts'
import { encodeServerMessage } from '../../sdk/protocol/server-frames.ts'
import { readMoves } from '../../sdk/world/read-moves.ts'
import { type Bench, median, round } from '../result.ts'

const players = 180
const cells = 9
const entryBytes = 10
const rounds = 31
const framesPerRound = 2_000
const target = 1.3

const moved = (first: number): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer((players / cells) * entryBytes))
  for (let at = 0; at < bytes.byteLength; at += entryBytes) {
    bytes.setUint16(at, first + at / entryBytes, true)
    for (const offset of [2, 4, 6]) bytes.setUint16(at + offset, 64 * (at % 61), true)
    bytes.setUint16(at + 8, at * 7, true)
  }
  return new Uint8Array(bytes.buffer)
}

const createFrame = (): Uint8Array =>
  encodeServerMessage({
    $case: 'players',
    value: {
      tick: 1,
      cells: Array.from({ length: cells }, (_, n) => ({ cell: { x: n % 3, z: Math.floor(n / 3) }, moved: moved(n * 20) })),
      appeared: [],
      gone: [],
    },
  })

let sum = 0
const add = (ref: number, x: number, y: number, z: number, yaw: number, pitch: number): void => {
  sum += ref + x + y + z + yaw + pitch
}

/** Reads like a program for the protocol: the whole frame, then each move. */
const decode = (frame: Uint8Array): void => {
  const message = decodeServerMessage(frame)
  if (message?.$case === 'players') for (const cell of message.value.cells) readMoves(cell, add)
}

/** Reads the same 180 moves in place, and nothing of the frame around them. */
const readPlainly = (frame: Uint8Array): void => {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  for (let at = frame.byteLength - players * entryBytes; at < frame.byteLength; at += entryBytes)
    add(
      view.getUint16(at, true),
      view.getUint16(at + 2, true) / 64,
      view.getUint16(at + 4, true) / 64,
      view.getUint16(at + 6, true) / 64,
      (view.getUint8(at + 8) * 360) / 256,
      (view.getInt8(at + 9) * 360) / 256,
    )
}

const measure = (read: (frame: Uint8Array) => void, frame: Uint8Array): number => {
  const before = performance.now()
  for (let n = 0; n < framesPerRound; n += 1) read(frame)
  return ((performance.now() - before) * 1_000) / framesPerRound
}

/**
 * Benchmarks a Players frame of 180 moves in nine cells, read by the client library, against a DataView over the same number of
 * bytes. It cannot show how a page uses the positions.
 */
export const readPlayers: Bench = {
  name: 'read-players',
  run: async () => {
    const frame = createFrame()
    for (const read of [decode, readPlainly]) measure(read, frame)
    const [ours, plain]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < rounds; turn += 1) {
      ours.push(measure(decode, frame))
      plain.push(measure(readPlainly, frame))
    }
    if (!(sum > 0)) throw new Error('nothing was read')
    const [value, reference] = [round(median(ours)), round(median(plain))]
    const ratio = round(value / reference)
    return [
      {
        bench: 'read-players',
        figure: 'Players frame of 180 moves in the client library',
        value,
        unit: 'µs',
        reference: { name: 'the same bytes by DataView', value: reference },
        ratio,
        target: `at most ${target} times`,
        met: ratio <= target,
      },
    ]
  },
}
