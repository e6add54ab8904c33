import type { FrameKind } from '../protocol/messages.ts'
import { createFrame, frameHeaderLength, writeFrameHeader } from '../protocol/web-socket-frame.ts'
import type { CellMovesEncoder } from './cell-moves.ts'
import { type Body, type EncodedMoves, introOf, introTextOf } from './cells.ts'
import type { FrameSlab } from './outbox.ts'
import { copyRange, varintLength, writeVarint } from './varint.ts'

const playersTag = 0x22
const tickTag = 0x08
const goneTag = 0x22

/** The kind and tick of a frame, the encoder of its ranges, and its memory. */
type FrameSource = {
  readonly kind: FrameKind
  readonly tick: number
  readonly encoder: CellMovesEncoder
  readonly slab: FrameSlab
}

const sumVarints = (values: readonly number[]): number => {
  let sum = 0
  for (const value of values) sum += varintLength(value)
  return sum
}

/** The parts of one Players message. One object is reused for all messages. */
export type PlayersParts = {
  /** `ranges` ranges of the bytes of the encoder. */
  readonly offsets: Int32Array
  readonly lengths: Int32Array
  ranges: number
  /** The sum of `lengths`. */
  movedBytes: number
  /** The moves as JSON, for text frames. */
  readonly texts: string[]
  /** The number of moves. */
  entries: number
  readonly appeared: Body[]
  readonly gone: number[]
}

/** More cells than any view has: a radius of 8 cells has 289. */
const rangesMax = 1024

export const createPlayersParts = (): PlayersParts => ({
  offsets: new Int32Array(rangesMax),
  lengths: new Int32Array(rangesMax),
  ranges: 0,
  movedBytes: 0,
  texts: [],
  entries: 0,
  appeared: [],
  gone: [],
})

export const clearPlayersParts = (parts: PlayersParts): void => {
  parts.ranges = 0
  parts.movedBytes = 0
  parts.entries = 0
  if (parts.texts.length > 0) parts.texts.length = 0
  if (parts.appeared.length > 0) parts.appeared.length = 0
  if (parts.gone.length > 0) parts.gone.length = 0
}

/** Adds the moves of a cell for binary frames. */
export const addMoves = (parts: PlayersParts, { offset, length, entries }: EncodedMoves): void => {
  if (entries === 0) return
  const { ranges } = parts
  parts.offsets[ranges] = offset
  parts.lengths[ranges] = length
  parts.ranges = ranges + 1
  parts.movedBytes += length
  parts.entries += entries
}

/** Adds the moves of a cell for text frames. */
export const addMovesText = (parts: PlayersParts, { entries, text }: EncodedMoves): void => {
  if (entries === 0) return
  parts.texts.push(text)
  parts.entries += entries
}

const measureBody = ({ movedBytes, appeared }: PlayersParts, tick: number, goneBytes: number): number => {
  let bytes = 1 + varintLength(tick) + movedBytes
  for (const one of appeared) bytes += introOf(one, tick).length
  return goneBytes === 0 ? bytes : bytes + 1 + varintLength(goneBytes) + goneBytes
}

const wordsMax = 256

/** Copies ranges one after another, four bytes at a time. The last word may exceed the range; the next one overwrites it. */
const writeMoves = (
  { ranges, offsets, lengths }: PlayersParts,
  { encoder, slab }: FrameSource,
  frame: Buffer,
  start: number,
): number => {
  const moves = encoder.bytes()
  const target = slab.viewOf(frame)
  let at = frame.byteOffset + start
  for (let i = 0; i < ranges; i += 1) {
    const from = offsets[i] ?? 0
    const length = lengths[i] ?? 0
    if (length > wordsMax) frame.set(new Uint8Array(moves.buffer, from, length), at - frame.byteOffset)
    else for (let done = 0; done < length; done += 4) target.setUint32(at + done, moves.getUint32(from + done, true), true)
    at += length
  }
  return at - frame.byteOffset
}

const writeChanges = ({ appeared, gone }: PlayersParts, goneBytes: number, frame: Uint8Array, start: number): void => {
  let at = start
  for (const { intro } of appeared) at = copyRange(intro, 0, intro.length, frame, at)
  if (goneBytes === 0) return
  frame[at] = goneTag
  at = writeVarint(frame, at + 1, goneBytes)
  for (const ref of gone) at = writeVarint(frame, at, ref)
}

const buildBinary = (parts: PlayersParts, source: FrameSource): Uint8Array => {
  const { tick, slab } = source
  const goneBytes = sumVarints(parts.gone)
  const body = measureBody(parts, tick, goneBytes)
  const payload = 1 + varintLength(body) + body
  const frame = slab.take(frameHeaderLength(payload) + payload)
  let at = writeFrameHeader(frame, 'binary', payload)
  frame[at] = playersTag
  at = writeVarint(frame, at + 1, body)
  frame[at] = tickTag
  at = writeVarint(frame, at + 1, tick)
  at = writeMoves(parts, source, frame, at)
  writeChanges(parts, goneBytes, frame, at)
  return frame
}

const buildText = ({ texts, appeared, gone }: PlayersParts, tick: number): Uint8Array => {
  const fields = [`"tick":${tick}`]
  if (texts.length > 0) fields.push(`"cells":[${texts.join(',')}]`)
  if (appeared.length > 0) fields.push(`"appeared":[${appeared.map(introTextOf).join(',')}]`)
  if (gone.length > 0) fields.push(`"gone":[${gone.join(',')}]`)
  return createFrame(Buffer.from(`{"players":{${fields.join(',')}}}`), 'text')
}

/** Builds one Players message as a finished frame from encoded parts. Undefined if it would be empty. */
export const buildPlayersFrame = (parts: PlayersParts, source: FrameSource): Uint8Array | undefined => {
  const { kind, tick } = source
  if (parts.entries === 0 && parts.appeared.length === 0 && parts.gone.length === 0) return undefined
  return kind === 'binary' ? buildBinary(parts, source) : buildText(parts, tick)
}
