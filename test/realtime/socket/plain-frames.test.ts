import { Duplex } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as library from 'ws'
import { takePlainFrames } from '../../../realtime/socket/plain-frames.ts'

// The library's own reader and writer of frames; its types do not tell of them.
const { Receiver, Sender } = Object(library)

type Piece = { readonly opcode: number; readonly fin: boolean; readonly mask: boolean; readonly payload: Uint8Array }

const encode = ({ opcode, fin, mask, payload }: Piece): Buffer =>
  Buffer.concat(
    Sender.frame(Buffer.from(payload), { opcode, fin, mask, readOnly: true, rsv1: false }).map((part: Uint8Array) =>
      Buffer.from(part),
    ),
  )

const silent = (): Duplex => new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })

/** What arrives of `chunks`, in order, with and without the short cut. */
const listen = (chunks: readonly Buffer[], isShort: boolean, isOpen = true): { heard: string[]; taken: number } => {
  const heard: string[] = []
  let taken = 0
  const stream = silent()
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
    takePlainFrames(
      stream,
      {
        isOpen: () => isOpen && !isBroken && !heard.some((line) => line.startsWith('close')),
        receiveLent: (memory, start, end) => {
          taken += 1
          heard.push(`binary ${memory.toString('hex', start, end)}`)
        },
      },
      () => true,
    )
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
    ['text', { ...move, opcode: 1, payload: Buffer.from('{}') }],
    ['a fragment', { ...move, fin: false }],
    ['a message of more than 64 KiB', { ...move, payload: Buffer.alloc(70_000) }],
  ])('leaves everything to the library after %s', (_kind, other) => {
    expect(listen([encode(other), encode(move)], true).taken).toBe(0)
  })

  it('takes nothing of a socket that is closing', () => {
    expect(listen([encode(move)], true, false)).toEqual({ heard: [`binary ${Buffer.alloc(40, 7).toString('hex')}`], taken: 0 })
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
    const stream = silent()
    takePlainFrames(stream, { isOpen: () => true, receiveLent: () => {} }, () => true)
    expect(stream.listenerCount('data')).toBe(0)
  })

  it('gives the library nothing that it may not have', () => {
    const stream = silent()
    const given: number[] = []
    stream.on('data', (chunk: Buffer) => given.push(chunk.length))
    takePlainFrames(stream, { isOpen: () => false, receiveLent: () => {} }, (bytes) => bytes < 100)
    const frameOf = (length: number) => encode({ opcode: 1, fin: true, mask: true, payload: new Uint8Array(length) })
    const [small, large] = [frameOf(10), frameOf(120)]
    for (const chunk of [small, large, small]) stream.emit('data', chunk)
    expect(given).toEqual([small.length, small.length])
  })
})
