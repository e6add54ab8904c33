import type { CellMoves } from '../protocol/generated/gatehouse.ts'

/** Receives the place of one player: blocks, and degrees of yaw (0…360) and pitch (-90…90). */
export type MoveVisitor = (ref: number, x: number, y: number, z: number, yaw: number, pitch: number) => void

const cellBlocks = 64
const entryBytes = 10
const perBlock = 1 / 64
const perTurnUnit = 360 / 256

/** Little-endian, two bytes. By hand, because a DataView for each cell costs more than the reads. */
const readU16 = (bytes: Uint8Array, at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8)

/** Reads the packed moves of one cell (`CellMoves` of gatehouse.proto), without an allocation for each. */
export const readMoves = ({ cell, moved }: CellMoves, visit: MoveVisitor): void => {
  const cornerX = (cell?.x ?? 0) * cellBlocks
  const cornerZ = (cell?.z ?? 0) * cellBlocks
  for (let at = 0; at + entryBytes <= moved.length; at += entryBytes)
    visit(
      readU16(moved, at),
      cornerX + readU16(moved, at + 2) * perBlock,
      readU16(moved, at + 4) * perBlock,
      cornerZ + readU16(moved, at + 6) * perBlock,
      (moved[at + 8] as number) * perTurnUnit,
      (((moved[at + 9] as number) << 24) >> 24) * perTurnUnit,
    )
}
