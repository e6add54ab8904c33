import { type Players, ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { FrameKind } from '../../../realtime/protocol/messages.ts'

export type KnownPlayer = { playerId: string; displayName: string; x: number; y: number; z: number; yaw: number; pitch: number }

/** Other players as a client knows them from its frames, by the rules of the protocol only. */
export type PlayersModel = {
  readonly known: ReadonlyMap<number, KnownPlayer>
  apply(players: Players): void
  forget(): void
}

const entryBytes = 10

const applyMoves = (known: Map<number, KnownPlayer>, cell: { x: number; z: number }, moved: Uint8Array): void => {
  const view = new DataView(moved.buffer, moved.byteOffset, moved.length)
  for (let at = 0; at < moved.length; at += entryBytes) {
    const player = known.get(view.getUint16(at, true))
    if (player === undefined) continue
    player.x = cell.x * 64 + view.getUint16(at + 2, true) / 64
    player.y = view.getUint16(at + 4, true) / 64
    player.z = cell.z * 64 + view.getUint16(at + 6, true) / 64
    player.yaw = (view.getUint8(at + 8) * 360) / 256
    player.pitch = (view.getInt8(at + 9) * 360) / 256
  }
}

export const createPlayersModel = (): PlayersModel => {
  const known = new Map<number, KnownPlayer>()
  return {
    known,
    apply: ({ gone, appeared, cells }) => {
      for (const ref of gone) if (!known.delete(ref)) throw new Error(`${ref} is gone, and was never there`)
      for (const { ref, playerId, displayName, position } of appeared) {
        if (position === undefined) throw new Error(`${ref} appeared nowhere`)
        known.set(ref, { playerId, displayName, ...position })
      }
      for (const { cell, moved } of cells) if (cell !== undefined) applyMoves(known, cell, moved)
    },
    forget: () => known.clear(),
  }
}

/** The payload of one unmasked, unfragmented WebSocket frame. */
export const unwrapFrame = (frame: Uint8Array): { kind: FrameKind; payload: Uint8Array } => {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
  const short = view.getUint8(1)
  const header = short < 126 ? 2 : short === 126 ? 4 : 10
  const length = short < 126 ? short : short === 126 ? view.getUint16(2) : Number(view.getBigUint64(2))
  if (frame.length !== header + length) throw new Error(`a frame of ${frame.length} bytes says ${length}`)
  return { kind: view.getUint8(0) === 0x81 ? 'text' : 'binary', payload: frame.subarray(header) }
}

const readPlayersJson = (text: string): Players => {
  const { tick = 0, cells = [], appeared = [], gone = [] } = JSON.parse(text).players
  return {
    tick,
    cells: cells.map((one: { cell: { x?: number; z?: number }; moved: string }) => ({
      cell: { x: one.cell.x ?? 0, z: one.cell.z ?? 0 },
      moved: Buffer.from(one.moved, 'base64'),
    })),
    appeared: appeared.map((one: { position: object }) => ({
      ...one,
      position: { x: 0, y: 0, z: 0, yaw: 0, pitch: 0, ...one.position },
    })),
    gone,
  }
}

/** The Players message of a frame of either kind. */
export const readPlayersFrame = (frame: Uint8Array): Players => {
  const { kind, payload } = unwrapFrame(frame)
  if (kind === 'text') return readPlayersJson(Buffer.from(payload).toString())
  const message = ServerMessage.decode(payload).kind
  if (message?.$case !== 'players') throw new Error(`not a Players message: ${message?.$case}`)
  return message.value
}
