import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { encodeServerMessage, type FrameKind } from '../../protocol/messages.ts'
import { createFrame } from '../../protocol/web-socket-frame.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'
import { encodeChunkFrame, toChunkMessage } from './chunk-message.ts'

/** Frames are kept for a short time only, because they are as large as the columns. */
const keptTicks = 1200
const keptBytesMax = 8 * 1024 * 1024

/** The Chunk messages of columns as finished WebSocket frames, shared by clients that need them at about the same time. */
export type ChunkFrames = {
  /** The frame does not change. A change of the column creates a new one. */
  frameOf(column: LoadedColumn, kind: FrameKind): Uint8Array
  /** Starts a tick, and drops frames that have not been used for some time. */
  step(tick: number): void
  /** Drops all frames, because the block types have changed. */
  clear(): void
  /** The number of frames built since the start. */
  encoded(): number
}

export const createChunkFrames = (registry: BlockRegistry): ChunkFrames => {
  /** Columns with frames, longest unused first. */
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
