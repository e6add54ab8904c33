import type { Players } from '../../../realtime/protocol/generated/gatehouse.ts'

/** Another player in view: blocks, and degrees of yaw (0…360) and pitch (-90…90). */
export type NearbyPlayer = {
  readonly playerId: string
  readonly displayName: string
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
}

export type NearbyPlayers = {
  /** Takes in one Players message: gone, then appeared, then moved; entries of refs that never appeared are passed over. */
  apply(players: Players): void
  /** By display name. */
  list(): readonly NearbyPlayer[]
  find(playerId: string): NearbyPlayer | undefined
  clear(): void
}

const cellBlocks = 64
const entryBytes = 10
const unitsPerBlock = 64
const degreesPerTurnUnit = 360 / 256

type Corner = { readonly x: number; readonly z: number }

const readPlace = (bytes: DataView, at: number, corner: Corner) => ({
  x: corner.x + bytes.getUint16(at + 2, true) / unitsPerBlock,
  y: bytes.getUint16(at + 4, true) / unitsPerBlock,
  z: corner.z + bytes.getUint16(at + 6, true) / unitsPerBlock,
  yaw: bytes.getUint8(at + 8) * degreesPerTurnUnit,
  pitch: bytes.getInt8(at + 9) * degreesPerTurnUnit,
})

const nowhere = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }

/** Who is near, kept from the Players messages of one connection. */
export const createNearbyPlayers = (): NearbyPlayers => {
  const byRef = new Map<number, NearbyPlayer>()

  const move = (moved: Uint8Array, corner: Corner): void => {
    const bytes = new DataView(moved.buffer, moved.byteOffset, moved.byteLength)
    for (let at = 0; at + entryBytes <= bytes.byteLength; at += entryBytes) {
      const ref = bytes.getUint16(at, true)
      const player = byRef.get(ref)
      if (player !== undefined) byRef.set(ref, { ...player, ...readPlace(bytes, at, corner) })
    }
  }

  return {
    apply: ({ gone, appeared, cells }) => {
      for (const ref of gone) byRef.delete(ref)
      for (const { ref, playerId, displayName, position = nowhere } of appeared)
        byRef.set(ref, {
          playerId,
          displayName,
          x: position.x,
          y: position.y,
          z: position.z,
          yaw: position.yaw,
          pitch: position.pitch,
        })
      for (const { cell, moved } of cells) move(moved, { x: (cell?.x ?? 0) * cellBlocks, z: (cell?.z ?? 0) * cellBlocks })
    },
    list: () => [...byRef.values()].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
    find: (playerId) => [...byRef.values()].find((player) => player.playerId === playerId),
    clear: () => byRef.clear(),
  }
}
