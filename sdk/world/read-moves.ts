import type { CellMoves } from '../protocol/generated/gatehouse.ts'

/** Takes the place of one player: blocks, and degrees of yaw (0…360) and pitch (-90…90). */
export type MoveVisitor = (ref: number, x: number, y: number, z: number, yaw: number, pitch: number) => void

const cellBlocks = 64
const entryBytes = 10
const perBlock = 1 / 64
const perTurnUnit = 360 / 256

/** Reads the packed moves of one cell (`CellMoves` of gatehouse.proto), without allocating anything for each. */
export const readMoves = ({ cell, moved }: CellMoves, visit: MoveVisitor): void => {
  const [cornerX, cornerZ] = [(cell?.x ?? 0) * cellBlocks, (cell?.z ?? 0) * cellBlocks]
  const bytes = new DataView(moved.buffer, moved.byteOffset, moved.byteLength)
  for (let at = 0; at + entryBytes <= moved.byteLength; at += entryBytes)
    visit(
      bytes.getUint16(at, true),
      cornerX + bytes.getUint16(at + 2, true) * perBlock,
      bytes.getUint16(at + 4, true) * perBlock,
      cornerZ + bytes.getUint16(at + 6, true) * perBlock,
      bytes.getUint8(at + 8) * perTurnUnit,
      bytes.getInt8(at + 9) * perTurnUnit,
    )
}
