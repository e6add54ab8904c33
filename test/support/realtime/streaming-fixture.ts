import {
  encodeServerMessage,
  type FrameFate,
  type FrameKind,
  type ServerMessageKind,
} from '../../../realtime/protocol/messages.ts'
import { createFrame } from '../../../realtime/protocol/web-socket-frame.ts'
import { createChunkFrames } from '../../../realtime/world/streaming/chunk-frames.ts'
import { createChunkStreaming } from '../../../realtime/world/streaming/chunk-streaming.ts'
import type { ChunkView } from '../../../realtime/world/streaming/chunk-view.ts'
import { type Chunk, getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { createLoadedWorldFixture } from '../worlds/loaded-world-fixture.ts'
import { type ColumnsModel, createColumnsModel } from './columns-model.ts'
import { readMessages } from './split-frames.ts'

/** A player with a client that applies all messages at once, or none while `isSlow`. */
export type StreamingPlayer = {
  readonly body: { x: number; z: number; yaw: number }
  readonly view: ChunkView
  readonly model: ColumnsModel
  readonly received: ServerMessageKind[]
  /** Bytes sent while the client was slow. */
  buffered: number
  isSlow: boolean
  frames: number
  bytes: number
}

/** Streaming over a loaded world in memory, with manual ticks. */
export const createStreamingFixture = () => {
  const base = createLoadedWorldFixture()
  const { world, registry, clock } = base
  const frames = createChunkFrames(registry)
  const streaming = createChunkStreaming({ loaded: world, frames, clock })
  let tick = 0

  const join = (
    at: { x?: number; z?: number; yaw?: number } = {},
    { radius = 2, kind = 'binary' }: { radius?: number; kind?: FrameKind } = {},
  ) => {
    const body = { x: 0, z: 0, yaw: 0, ...at }
    const model = createColumnsModel((id) => registry.find(id)?.index ?? 1)
    const received: ServerMessageKind[] = []
    const sendFrame = (bytes: Uint8Array): FrameFate => {
      player.frames += 1
      player.bytes += bytes.length
      if (player.isSlow) player.buffered += bytes.length
      for (const message of readMessages(bytes)) {
        received.push(message)
        model.apply(message)
      }
      return 'written'
    }
    const sink = {
      kind,
      sendFrame,
      spareBytes: () => 256 * 1024 - player.buffered,
    }
    const view = streaming.open({ body, sink, viewRadius: radius })
    const player: StreamingPlayer = { body, view, model, received, buffered: 0, isSlow: false, frames: 0, bytes: 0 }
    return player
  }

  const fixture = {
    ...base,
    frames,
    streaming,
    join,
    /** Changes a block and notifies its viewers, as the game does before it streams. */
    edit: (x: number, y: number, z: number, type: string) => {
      const index = registry.find(type)?.index
      if (index === undefined || world.find(x >> 4, z >> 4) === undefined) return
      world.setBlock(x, y, z, index)
      const message: ServerMessageKind = { $case: 'blocksChanged', value: { edits: [{ x, y, z, type }], by: '' } }
      for (const { sink } of streaming.viewersOf(x >> 4, z >> 4))
        sink.sendFrame(createFrame(encodeServerMessage(message, sink.kind), sink.kind))
    },
    step: () => {
      tick += 1
      clock.advance(50)
      world.step()
      streaming.step(tick)
    },
    ticks: async (count: number) => {
      for (let i = 0; i < count; i += 1) {
        await base.drain()
        fixture.step()
      }
    },
  }
  return fixture
}

export type StreamingFixture = ReturnType<typeof createStreamingFixture>

export const hasSameBlocks = (one: Chunk, other: Chunk): boolean => {
  for (let y = 0; y < 256; y += 1) {
    if (one.sections[y >> 4] === undefined && other.sections[y >> 4] === undefined) continue
    for (let at = 0; at < 256; at += 1)
      if (getBlock(one, at & 15, y, at >> 4) !== getBlock(other, at & 15, y, at >> 4)) return false
  }
  return true
}
