import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { DirectWriter } from '../../../realtime/socket/direct-writes.ts'
import { openSocketPairs } from '../../support/realtime/socket-pairs.ts'
import { waitFor } from '../../support/time/wait-for.ts'

/** More than the system holds for a reader that does not read. */
const pieceBytes = 16 * 1024 * 1024

describe('DirectWriter', () => {
  let pairs: Awaited<ReturnType<typeof openSocketPairs>>
  beforeEach(async () => {
    pairs = await openSocketPairs()
  })
  afterEach(() => pairs.close())

  /** Both ends of a connection whose reader begins when it is told to. */
  const openPair = async () => {
    const { client: reader, accepted: stream } = await pairs.open()
    stream.on('error', () => {})
    reader.on('error', () => {})
    const pieces: Buffer[] = []
    const read = (): Buffer => Buffer.concat(pieces)
    const beginReading = (): void => {
      reader.on('data', (piece: Buffer) => pieces.push(piece))
    }
    return { reader, stream, writer: new DirectWriter(stream), read, beginReading }
  }

  it('writes what the system takes at once with nothing left to wait for', async () => {
    const { stream, writer, read, beginReading } = await openPair()
    beginReading()
    for (let i = 0; i < 100; i += 1) {
      writer.write(Buffer.from(`${i} `))
      expect([writer.waitingBytes(), stream.writableLength]).toEqual([0, 0])
    }
    const expected = Array.from({ length: 100 }, (_, i) => `${i} `).join('')
    await waitFor(() => read().length === expected.length)
    expect(read().toString()).toBe(expected)
  })

  it('counts what a slow reader leaves, and loses and swaps none of it, whoever writes', async () => {
    const { stream, writer, read, beginReading } = await openPair()
    const parts = [Buffer.alloc(pieceBytes, 'a'), Buffer.from('library'), Buffer.alloc(pieceBytes, 'b'), Buffer.from('end')]
    const [first = Buffer.of(), second = Buffer.of(), third = Buffer.of(), last = Buffer.of()] = parts
    writer.write(first)
    expect(writer.waitingBytes()).toBe(pieceBytes)
    writer.expectOthers()
    stream.write(second)
    writer.write(third)
    expect(writer.waitingBytes()).toBe(2 * pieceBytes + second.length)
    stream.write(last)
    beginReading()
    const expected = Buffer.concat(parts)
    await waitFor(() => read().length === expected.length)
    expect(read().equals(expected)).toBe(true)
    await waitFor(() => writer.waitingBytes() === 0)
    writer.write(Buffer.from('!'))
    await waitFor(() => read().length === expected.length + 1)
  })

  it('leaves what comes while bytes wait to the stream, for one request to the system instead of thousands', async () => {
    const { stream, writer, read, beginReading } = await openPair()
    const small = Array.from({ length: 1000 }, (_, i) => Buffer.from(`${i} `))
    const smallBytes = Buffer.concat(small).length
    writer.write(Buffer.alloc(pieceBytes, 'e'))
    for (const piece of small) writer.write(piece)
    expect([stream.writableLength, writer.waitingBytes()]).toEqual([smallBytes, pieceBytes + smallBytes])
    beginReading()
    await waitFor(() => read().length === pieceBytes + smallBytes)
    expect(read().subarray(pieceBytes).equals(Buffer.concat(small))).toBe(true)
    await waitFor(() => writer.waitingBytes() === 0)
    writer.write(Buffer.from('!'))
    expect(stream.writableLength).toBe(0)
  })

  it('never writes into the middle of what the stream holds back', async () => {
    const { stream, writer, read, beginReading } = await openPair()
    beginReading()
    stream.cork()
    stream.write('one ')
    stream.write('two ')
    writer.write(Buffer.from('ours '))
    expect(writer.waitingBytes()).toBe('one two ours '.length)
    stream.uncork()
    await waitFor(() => read().toString() === 'one two ours ')
    expect(writer.waitingBytes()).toBe(0)
  })

  it('has all of a piece arrive before an end that was asked for meanwhile', async () => {
    const { reader, stream, writer, read, beginReading } = await openPair()
    writer.write(Buffer.alloc(pieceBytes, 'c'))
    stream.end()
    const ended = once(reader, 'end')
    beginReading()
    await ended
    expect(read().length).toBe(pieceBytes)
  })

  it('ends a stream whose reader is gone, and throws nothing then or later', async () => {
    const { reader, stream, writer } = await openPair()
    writer.write(Buffer.alloc(pieceBytes, 'd'))
    reader.resetAndDestroy()
    await waitFor(() => stream.destroyed)
    await waitFor(() => writer.waitingBytes() === 0)
    expect(() => writer.write(Buffer.from('more'))).not.toThrow()
  })

  it('writes to other streams as ever', async () => {
    const written: string[] = []
    const stream = new Duplex({
      read: () => {},
      write: (piece: Buffer, _encoding, done) => {
        written.push(piece.toString())
        setImmediate(done)
      },
    })
    const writer = new DirectWriter(stream)
    writer.write(Buffer.from('one'))
    writer.write(Buffer.from('two'))
    expect(writer.waitingBytes()).toBe(6)
    await waitFor(() => writer.waitingBytes() === 0)
    expect(written).toEqual(['one', 'two'])
  })
})
