import type { FrameKind } from '../protocol/messages.ts'
import { createFrame, frameHeaderLength, writeFrameHeader } from '../protocol/web-socket-frame.ts'
import { introOf, introTextOf } from './cell.ts'
import type { CellMovesEncoder } from './cell-moves.ts'
import type { FrameSlab } from './frame-slab.ts'
import type { PlayersParts } from './players-parts.ts'
import { copyRange, varintLength, writeVarint } from './varint.ts'

const playersTag = 0x22
const tickTag = 0x08
const goneTag = 0x22

/** The kind and tick of a frame, the encoder of its ranges, and its memory. */
export type FrameSource = {
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
