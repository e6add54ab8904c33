import { ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import type { MovePosition } from './joins.ts'

const cellBlocks = 64
const entryBytes = 10
const unitsPerBlock = 64
const remembered = 64
/** Within this distance a client receives each step in its own tick. */
const nearUnits = 16 * unitsPerBlock

/**
 * Parses Gatehouse's frames as a client does, and reports the time of each step from its sender to each observer. A skipped step
 * ends when the next step of that player arrives. When a player comes into view, their first received step counts first.
 */
export type FrameReader = {
  onWelcome(index: number, data: Uint8Array): void
  onSent(index: number, position: MovePosition): void
  read(observer: number, data: Uint8Array): void
  reset(): void
  counts(): { updates: number; bytes: number }
}

type Sent = { readonly x: number; readonly z: number; readonly at: number; readonly turn: number }

/** `isNear`: whether the two were less than 16 blocks apart. */
export type OnLatency = (milliseconds: number, isNear: boolean) => void

export const createFrameReader = (players: number, onLatency: OnLatency): FrameReader => {
  const indexOfPlayer = new Map<string, number>()
  const sent: Sent[][] = Array.from({ length: players }, () => [])
  const playerOfRef = new Map<number, string>()
  /** By observer and player: the last step that the observer received. */
  const told = new Map<number, number>()
  let turn = 0
  let updates = 0
  let bytes = 0

  const isNear = (observer: number, { x, z }: Sent): boolean => {
    const own = sent[observer]?.at(-1)
    return own !== undefined && Math.abs(own.x - x) < nearUnits && Math.abs(own.z - z) < nearUnits
  }

  const noteEntry = (observer: number, index: number, x: number, z: number) => {
    const key = observer * players + index
    const before = told.get(key)
    const steps = sent[index] ?? []
    // A player at a wall repeats one position: the newest step counts.
    const at = steps.findLastIndex((step) => Math.abs(step.x - x) <= 1 && Math.abs(step.z - z) <= 1)
    const last = steps[at]
    if (last === undefined || last.turn <= (before ?? 0)) return
    const now = performance.now()
    for (const step of before === undefined ? [last] : steps)
      if (step.turn > (before ?? 0) && step.turn <= last.turn) onLatency(now - step.at, isNear(observer, step))
    told.set(key, last.turn)
  }

  const readMoved = (observer: number, corner: { x: number; z: number }, moved: Uint8Array) => {
    const view = new DataView(moved.buffer, moved.byteOffset, moved.byteLength)
    for (let at = 0; at + entryBytes <= moved.byteLength; at += entryBytes) {
      updates += 1
      const index = indexOfPlayer.get(playerOfRef.get(view.getUint16(at, true)) ?? '')
      if (index === undefined || index === observer) continue
      const x = corner.x * cellBlocks * unitsPerBlock + view.getUint16(at + 2, true)
      const z = corner.z * cellBlocks * unitsPerBlock + view.getUint16(at + 6, true)
      noteEntry(observer, index, x, z)
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
      turn += 1
      list.push({ x: Math.floor(x * unitsPerBlock), z: Math.floor(z * unitsPerBlock), at: performance.now(), turn })
      if (list.length > remembered) list.shift()
    },
    read: (observer, data) => {
      const { kind } = ServerMessage.decode(data)
      if (kind?.$case !== 'players') return
      bytes += data.length
      for (const ref of kind.value.gone) told.delete(observer * players + (indexOfPlayer.get(playerOfRef.get(ref) ?? '') ?? 0))
      for (const { ref, playerId } of kind.value.appeared) playerOfRef.set(ref, playerId)
      for (const { cell, moved } of kind.value.cells) readMoved(observer, { x: cell?.x ?? 0, z: cell?.z ?? 0 }, moved)
    },
    reset: () => {
      updates = 0
      bytes = 0
    },
    counts: () => ({ updates, bytes }),
  }
}
