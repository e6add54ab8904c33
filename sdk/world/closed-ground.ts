import type { ClosedGround, ZoneChanged } from '../protocol/generated/gatehouse.ts'
import { chunkCoordinate, chunkKey, type Point } from './rules.ts'

/** Columns that the server has closed to the player, as far as known. */
export type KnownClosedGround = {
  note(ground: ClosedGround, nowMs: number): void
  /** A player inside a zone may walk in it. */
  stand(change: ZoneChanged): void
  isClosed(to: Point, nowMs: number): boolean
  clear(): void
}

/** Zones open again: after this the server decides again. */
const keptMs = 2_000
/** More than a player can run into within that time. */
const groundsMax = 64

export const createKnownClosedGround = (): KnownClosedGround => {
  const grounds = new Map<number, ClosedGround & { readonly untilMs: number }>()
  let zoneId: string | undefined
  return {
    note: (ground, nowMs) => {
      if (grounds.size >= groundsMax) grounds.clear()
      grounds.set(chunkKey(ground.cx, ground.cz), { ...ground, untilMs: nowMs + keptMs })
    },
    stand: ({ entered, left }) => {
      if (entered !== undefined) zoneId = entered.id
      else if (left?.id === zoneId) zoneId = undefined
    },
    isClosed: (to, nowMs) => {
      if (grounds.size === 0) return false
      const ground = grounds.get(chunkKey(chunkCoordinate(to.x), chunkCoordinate(to.z)))
      if (ground === undefined || ground.untilMs <= nowMs || ground.zoneId === zoneId) return false
      const height = Math.floor(to.y)
      return height >= ground.yMin && height <= ground.yMax
    },
    clear: () => {
      grounds.clear()
      zoneId = undefined
    },
  }
}
