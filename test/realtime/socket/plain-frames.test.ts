import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as library from 'ws'
import { type FrameTaker, takePlainFrames } from '../../../realtime/socket/plain-frames.ts'
import { silentStream } from '../../support/realtime/silent-stream.ts'

// The library's own reader and writer of frames; its types do not tell of them.
const { Receiver, Sender } = Object(library)

type Piece = { readonly opcode: number; readonly fin: boolean; readonly mask: boolean; readonly payload: Uint8Array }

const encode = ({ opcode, fin, mask, payload }: Piece): Buffer =>
  Buffer.concat(
    Sender.frame(Buffer.from(payload), { opcode, fin, mask, readOnly: true, rsv1: false }).map((part: Uint8Array) =>
      Buffer.from(part),
    ),
  )

const takesAll: FrameTaker = {
  isOpen: () => true,
  receiveLent: () => {},
  mayHold: () => true,
  payFor: () => true,
  expectAnswer: () => {},
}

/** What arrives of `chunks`, in order, with and without the short cut. */
const listen = (chunks: readonly Buffer[], isShort: boolean, isOpen = true): { heard: string[]; taken: number } => {
  const heard: string[] = []
  let taken = 0
  const stream = silentStream()
  const receiver = new Receiver({ isServer: true, maxPayload: 73_728 })
  receiver.on('message', (data: Buffer, isBinary: boolean) =>
    heard.push(`${isBinary ? 'binary' : 'text'} ${data.toString('hex')}`),
  )
  receiver.on('ping', (data: Buffer) => heard.push(`ping ${data.toString('hex')}`))
  receiver.on('pong', (data: Buffer) => heard.push(`pong ${data.toString('hex')}`))
  receiver.on('conclude', (code: number) => heard.push(`close ${code}`))
  receiver.on('error', (error: Error) => heard.push(`error ${error.message}`))
  let isBroken = false
  receiver.on('error', () => {
    isBroken = true
  })
  stream.on('data', (chunk: Buffer) => {
    if (!isBroken) receiver.write(chunk)
  })
  if (isShort)
    takePlainFrames(stream, {
      ...takesAll,
      isOpen: () => isOpen && !receiver._errored && !heard.some((line) => line.startsWith('close')),
      receiveLent: (memory, start, end) => {
        taken += 1
        heard.push(`binary ${memory.toString('hex', start, end)}`)
      },
    })
  for (const chunk of chunks) stream.emit('data', Buffer.from(chunk))
  return { heard, taken }
}

const move: Piece = { opcode: 2, fin: true, mask: true, payload: Buffer.alloc(40, 7) }

const piece: fc.Arbitrary<Piece> = fc.record({
  opcode: fc.constantFrom(2, 2, 2, 1, 0, 8, 9, 10),
  fin: fc.constantFrom(true, true, true, false),
  mask: fc.constantFrom(true, true, true, true, true, true, false),
  payload: fc.oneof(
    fc.uint8Array({ maxLength: 125 }),
    fc.constantFrom(125, 126, 127, 300, 5000, 66_000).map((length) => new Uint8Array(length).fill(65)),
  ),
})

const cutAt = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return places.slice(1).flatMap((end, at) => (end > (places[at] ?? 0) ? [bytes.subarray(places[at], end)] : []))
}

describe('plain frames', () => {
  it('takes whole binary messages before the library, several of one read too', () => {
    expect(listen([encode(move), Buffer.concat([encode(move), encode(move)])], true)).toEqual({
      heard: Array.from({ length: 3 }, () => `binary ${Buffer.alloc(40, 7).toString('hex')}`),
      taken: 3,
    })
  })

  it('goes on taking them after a ping, a pong or a longer message', () => {
    const others: Piece[] = [
      { ...move, opcode: 9, payload: Buffer.from('hi') },
      { ...move, opcode: 10, payload: Buffer.alloc(0) },
      { ...move, payload: Buffer.alloc(2000, 1) },
    ]
    for (const other of others) expect(listen([encode(move), encode(other), encode(move)], true).taken).toBe(2)
  })

  it('leaves a message that is cut to the library and takes the next', () => {
    const frame = encode(move)
    for (let cut = 2; cut < frame.length; cut += 1) {
      const { heard, taken } = listen([frame.subarray(0, cut), frame.subarray(cut), frame], true)
      expect(heard).toHaveLength(2)
      expect(taken).toBe(1)
    }
  })

  it.each([
    ['a text', [{ ...move, opcode: 1, payload: Buffer.from('{}') }]],
    [
      'a message in fragments',
      [
        { ...move, fin: false },
        { ...move, opcode: 9 },
        { ...move, opcode: 0 },
      ],
    ],
    ['a message of more than 64 KiB', [{ ...move, payload: Buffer.alloc(70_000) }]],
  ])('goes on taking them after %s', (_kind, others) => {
    expect(listen([...others.map(encode), encode(move)], true).taken).toBe(1)
  })

  it('leaves those within a message in fragments to the library, which closes', async () => {
    const { heard, taken } = listen([encode({ ...move, fin: false }), encode(move), encode(move)], true)
    // It tells of faults in the next turn.
    await new Promise(setImmediate)
    expect({ heard, taken }).toEqual({ heard: [expect.stringContaining('error')], taken: 0 })
  })

  it('passes over what comes from a socket that is closing, but for its close', () => {
    const close: Piece = { ...move, opcode: 8, payload: Buffer.from([0x03, 0xe8]) }
    const text: Piece = { ...move, opcode: 1 }
    expect(listen([encode(move), encode(text), encode(close)], true, false)).toEqual({ heard: ['close 1000'], taken: 0 })
  })

  it('takes a message that is cut, and all after it', () => {
    const frames = Buffer.concat([encode(move), encode({ ...move, opcode: 1, payload: Buffer.alloc(40_000, 65) }), encode(move)])
    const chunks = Array.from({ length: Math.ceil(frames.length / 7) }, (_, at) => frames.subarray(at * 7, at * 7 + 7))
    expect(listen(chunks, true).heard.map((line) => line.length)).toEqual([87, 80_005, 87])
  })

  it('changes nothing about what is received, whatever is sent and however it is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(2000), { maxLength: 6 }), (pieces, cuts) => {
        const chunks = cutAt(Buffer.concat(pieces.map(encode)), cuts)
        expect(listen(chunks, true).heard).toEqual(listen(chunks, false).heard)
      }),
      { numRuns: 1500 },
    )
  })

  it('leaves a stream alone that nobody reads', () => {
    const stream = silentStream()
    takePlainFrames(stream, takesAll)
    expect(stream.listenerCount('data')).toBe(0)
  })

  it('gives the library no message that may not be held, nor what was not paid for', () => {
    const stream = silentStream()
    const given: number[] = []
    stream.on('data', (chunk: Buffer) => given.push(chunk.length))
    const asked: unknown[] = []
    takePlainFrames(stream, {
      ...takesAll,
      mayHold: (...question) => {
        asked.push(question)
        return question[0] < 100
      },
      payFor: (frame) => frame === 'fragment',
    })
    const frameOf = (opcode: number, length: number, fin = true) =>
      encode({ opcode, fin, mask: true, payload: new Uint8Array(length) })
    const [small, large, ping] = [frameOf(1, 10), frameOf(1, 120), frameOf(9, 2)]
    for (const chunk of [small, large.subarray(0, 50), large.subarray(50), ping, small, frameOf(2, 60, false), frameOf(0, 60)])
      stream.emit('data', Buffer.from(chunk))
    expect(given).toEqual([small.length, small.length, 66])
    expect(asked).toEqual([
      [10, 16, 'text'],
      [120, 126, 'text'],
      [10, 16, 'text'],
      [60, 66, 'binary'],
      [120, 60 + 128 + 66, 'binary'],
    ])
  })

  it('reads no more of one who goes on after the close', () => {
    const stream = silentStream()
    stream.on('data', () => {})
    takePlainFrames(stream, { ...takesAll, isOpen: () => false })
    stream.emit('data', Buffer.concat(Array.from({ length: 1000 }, () => encode({ ...move, opcode: 10 }))))
    expect(stream.isPaused()).toBe(false)
    for (let i = 0; i < 10; i += 1)
      stream.emit('data', Buffer.concat(Array.from({ length: 1000 }, () => encode({ ...move, opcode: 10 }))))
    expect(stream.isPaused()).toBe(true)
  })
})
