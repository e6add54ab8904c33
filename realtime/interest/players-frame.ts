import type { FrameKind } from '../protocol/messages.ts'
import { createFrame, frameHeaderLength, writeFrameHeader } from '../web-socket-frame.ts'
import { type Body, introOf, introTextOf } from './body.ts'
import type { Cell } from './cell.ts'
import type { CellMovesEncoder, MoveWindow } from './cell-moves.ts'
import { copyRange, varintLength, writeVarint } from './varint.ts'

/** What one Players message shall tell; one object is used again for each. */
export type PlayersParts = {
  readonly cells: Cell[]
  /** Beside `cells`. */
  readonly windows: MoveWindow[]
  readonly appeared: Body[]
  readonly gone: number[]
}

export type PlayersFrame = { readonly frame: Uint8Array | undefined; readonly entries: number }

export const createPlayersParts = (): PlayersParts => ({ cells: [], windows: [], appeared: [], gone: [] })

export const clearPlayersParts = (parts: PlayersParts): void => {
  parts.cells.length = 0
  parts.windows.length = 0
  parts.appeared.length = 0
  parts.gone.length = 0
}

const playersTag = 0x22
const tickTag = 0x08
const goneTag = 0x22
const nothing: PlayersFrame = { frame: undefined, entries: 0 }

const sumVarints = (values: readonly number[]): number => values.reduce((sum, value) => sum + varintLength(value), 0)

const buildBinary = (parts: PlayersParts, tick: number, encoder: CellMovesEncoder): PlayersFrame => {
  const { cells, windows, appeared, gone } = parts
  let entries = 0
  let body = 1 + varintLength(tick)
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i]
    const encoded = cell === undefined ? undefined : encoder.encode(cell, windows[i] ?? 0)
    if (encoded === undefined) continue
    entries += encoded.entries
    body += encoded.length
  }
  if (entries + appeared.length + gone.length === 0) return nothing
  for (const one of appeared) body += introOf(one, tick).length
  const goneBytes = sumVarints(gone)
  if (goneBytes > 0) body += 1 + varintLength(goneBytes) + goneBytes

  const payload = 1 + varintLength(body) + body
  const frame = Buffer.allocUnsafe(frameHeaderLength(payload) + payload)
  let at = writeFrameHeader(frame, 'binary', payload)
  frame[at] = playersTag
  at = writeVarint(frame, at + 1, body)
  frame[at] = tickTag
  at = writeVarint(frame, at + 1, tick)
  const bytes = encoder.bytes()
  for (let i = 0; i < cells.length; i += 1) {
    const encoded = cells[i]?.encoded[windows[i] ?? 0]
    if (encoded !== undefined && encoded.length > 0) at = copyRange(bytes, encoded.offset, encoded.length, frame, at)
  }
  for (const one of appeared) at = copyRange(one.intro, 0, one.intro.length, frame, at)
  if (goneBytes > 0) {
    frame[at] = goneTag
    at = writeVarint(frame, at + 1, goneBytes)
    for (const ref of gone) at = writeVarint(frame, at, ref)
  }
  return { frame, entries }
}

const buildText = (parts: PlayersParts, tick: number, encoder: CellMovesEncoder): PlayersFrame => {
  const encoded = parts.cells.map((cell, i) => encoder.encodeText(cell, parts.windows[i] ?? 0)).filter((one) => one.entries > 0)
  if (encoded.length + parts.appeared.length + parts.gone.length === 0) return nothing
  const fields = [`"tick":${tick}`]
  if (encoded.length > 0) fields.push(`"cells":[${encoded.map((one) => one.text).join(',')}]`)
  if (parts.appeared.length > 0) fields.push(`"appeared":[${parts.appeared.map(introTextOf).join(',')}]`)
  if (parts.gone.length > 0) fields.push(`"gone":[${parts.gone.join(',')}]`)
  const frame = createFrame(Buffer.from(`{"players":{${fields.join(',')}}}`), 'text')
  return { frame, entries: encoded.reduce((sum, one) => sum + one.entries, 0) }
}

/** One Players message as a finished frame, put together from what its cells and bodies have encoded already; no frame when it would be empty. */
export const buildPlayersFrame = (parts: PlayersParts, kind: FrameKind, tick: number, encoder: CellMovesEncoder): PlayersFrame =>
  kind === 'binary' ? buildBinary(parts, tick, encoder) : buildText(parts, tick, encoder)
