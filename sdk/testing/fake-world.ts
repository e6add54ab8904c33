import type { ServerMessageKind } from '../protocol/frames.ts'
import type { BlockEdit, BlockType, Chunk, Position } from '../protocol/generated/gatehouse.ts'

/** The kinds of blocks of a fake server. */
export const fakeBlocks: readonly BlockType[] = [
  { index: 0, id: 'air', colour: 0x000000, solid: false },
  { index: 3, id: 'unknown', colour: 0xff00ff, solid: true, placeholder: true },
  { index: 1, id: 'stone', colour: 0x7f7f7f, solid: true },
  { index: 2, id: 'planks', colour: 0xb08850, solid: true },
]

/** Height of the level ground of stone on which players stand. */
export const fakeGround = 64

const sectionBlocks = 16

/** A column of level ground. */
export const fakeColumn = (cx: number, cz: number): Chunk => ({
  cx,
  cz,
  sections: Array.from({ length: fakeGround / sectionBlocks }, (_, y) => ({ y, palette: [1], bits: 0, data: new Uint8Array(0) })),
})

/** A move as other players receive it: one cell with one entry. */
export const tellMove = (ref: number, tick: number, { x, y, z, yaw, pitch }: Position): ServerMessageKind => {
  const cell = { x: Math.floor(x / 64), z: Math.floor(z / 64) }
  const moved = new Uint8Array(10)
  const bytes = new DataView(moved.buffer)
  bytes.setUint16(0, ref, true)
  bytes.setUint16(2, (x - cell.x * 64) * 64, true)
  bytes.setUint16(4, y * 64, true)
  bytes.setUint16(6, (z - cell.z * 64) * 64, true)
  bytes.setUint8(8, (yaw / 360) * 256)
  bytes.setInt8(9, (pitch / 360) * 256)
  return { $case: 'players', value: { tick, cells: [{ cell, moved }], appeared: [], gone: [] } }
}

/** Why an edit is impossible; undefined if it is possible. */
export const findFakeRefusal = (edits: readonly BlockEdit[]): string | undefined => {
  if (edits.length === 0 || edits.length > 256) return 'invalid'
  return edits.every(({ type }) => fakeBlocks.some(({ id }) => id === type)) ? undefined : 'unknown-block'
}
