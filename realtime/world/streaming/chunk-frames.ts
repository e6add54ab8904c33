import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { encodeServerMessage, type FrameKind } from '../../protocol/messages.ts'
import { createFrame } from '../../protocol/web-socket-frame.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'
import { encodeChunkFrame, toChunkMessage } from './chunk-message.ts'

/** Frames are kept for those who come soon after, not for good: they are as large as the columns themselves. */
const keptTicks = 1200
const keptBytesMax = 8 * 1024 * 1024

/** The Chunk messages of columns as finished WebSocket frames, made once for all who are sent them at about the same time. */
export type ChunkFrames = {
  /** Nobody changes the frame afterwards: a change of the column makes another. */
  frameOf(column: LoadedColumn, kind: FrameKind): Uint8Array
  /** Begins a tick and forgets frames that nobody asked for lately. */
  step(tick: number): void
  /** Forgets every frame: the next ones show the blocks as clients know them now. */
  clear(): void
  /** Frames that were made since the start. */
  encoded(): number
}

export const createChunkFrames = (registry: BlockRegistry): ChunkFrames => {
  /** Columns with frames, the longest unused first. */
  const kept = new Map<LoadedColumn, { tick: number; bytes: number }>()
  let keptBytes = 0
  let encoded = 0
  let now = 0

  const forget = (column: LoadedColumn, bytes: number): void => {
    kept.delete(column)
    keptBytes -= bytes
    column.binaryFrame = undefined
    column.textFrame = undefined
  }

  const keep = (column: LoadedColumn): void => {
    const bytes = (column.binaryFrame?.length ?? 0) + (column.textFrame?.length ?? 0)
    keptBytes += bytes - (kept.get(column)?.bytes ?? 0)
    kept.delete(column)
    kept.set(column, { tick: now, bytes })
  }

  const make = (column: LoadedColumn, kind: FrameKind): Uint8Array => {
    encoded += 1
    if (kind === 'binary') {
      column.binaryFrame = encodeChunkFrame(column.chunk, registry)
      return column.binaryFrame
    }
    column.textFrame = createFrame(encodeServerMessage(toChunkMessage(column.chunk, registry), kind), kind)
    return column.textFrame
  }

  return {
    frameOf: (column, kind) => {
      const frame = (kind === 'binary' ? column.binaryFrame : column.textFrame) ?? make(column, kind)
      keep(column)
      return frame
    },
    step: (tick) => {
      now = tick
      for (const [column, { tick: used, bytes }] of kept) {
        if (keptBytes <= keptBytesMax && now - used <= keptTicks) return
        forget(column, bytes)
      }
    },
    clear: () => {
      for (const [column, { bytes }] of kept) forget(column, bytes)
    },
    encoded: () => encoded,
  }
}

/** The ChunkGone message of a column as a finished WebSocket frame. */
export const createChunkGoneFrame = ({ cx, cz }: ChunkPos, kind: FrameKind): Uint8Array =>
  createFrame(encodeServerMessage({ $case: 'chunkGone', value: { cx, cz } }, kind), kind)
