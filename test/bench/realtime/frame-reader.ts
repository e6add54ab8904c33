import { ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { MovePosition } from './joins.ts'

const cellBlocks = 64
const entryBytes = 10
const unitsPerBlock = 64
const remembered = 16

/** Reads Gatehouse's frames as a client does, and tells how long each movement took from its sender to each observer. */
export type FrameReader = {
  onWelcome(index: number, data: Uint8Array): void
  onSent(index: number, position: MovePosition): void
  read(observer: number, data: Uint8Array): void
  reset(): void
  counts(): { updates: number; bytes: number }
}

type Sent = { x: number; z: number; at: number }

export const createFrameReader = (players: number, onLatency: (milliseconds: number) => void): FrameReader => {
  const indexOfPlayer = new Map<string, number>()
  const sent: Sent[][] = Array.from({ length: players }, () => [])
  const playerOfRef = new Map<number, string>()
  let updates = 0
  let bytes = 0

  const noteEntry = (index: number, x: number, z: number) => {
    const found = sent[index]?.filter((entry) => Math.abs(entry.x - x) <= 1 && Math.abs(entry.z - z) <= 1) ?? []
    const [only] = found
    // A walker at a wall stands still: which of its sends this one answers, nobody can tell.
    if (only && found.length === 1) onLatency(performance.now() - only.at)
  }

  const readMoved = (corner: { x: number; z: number }, moved: Uint8Array) => {
    const view = new DataView(moved.buffer, moved.byteOffset, moved.byteLength)
    for (let at = 0; at + entryBytes <= moved.byteLength; at += entryBytes) {
      updates += 1
      const index = indexOfPlayer.get(playerOfRef.get(view.getUint16(at, true)) ?? '')
      if (index === undefined) continue
      const x = corner.x * cellBlocks * unitsPerBlock + view.getUint16(at + 2, true)
      const z = corner.z * cellBlocks * unitsPerBlock + view.getUint16(at + 6, true)
      noteEntry(index, x, z)
    }
  }

  return {
    onWelcome: (index, data) => {
      const { kind } = ServerMessage.decode(data)
      if (kind?.$case === 'welcome') indexOfPlayer.set(kind.value.playerId, index)
    },
    onSent: (index, { x, z }) => {
      const list = sent[index]
      if (!list) return
      list.push({ x: Math.floor(x * unitsPerBlock), z: Math.floor(z * unitsPerBlock), at: performance.now() })
      if (list.length > remembered) list.shift()
    },
    read: (_observer, data) => {
      const { kind } = ServerMessage.decode(data)
      if (kind?.$case !== 'players') return
      bytes += data.length
      for (const { ref, playerId } of kind.value.appeared) playerOfRef.set(ref, playerId)
      for (const { cell, moved } of kind.value.cells) readMoved({ x: cell?.x ?? 0, z: cell?.z ?? 0 }, moved)
    },
    reset: () => {
      updates = 0
      bytes = 0
    },
    counts: () => ({ updates, bytes }),
  }
}
